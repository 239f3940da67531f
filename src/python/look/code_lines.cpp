#include "python/look/code_lines.hpp"

#include <algorithm>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_code_depth = 8;

/// Reads the location table of Python 3.11 and later ("Objects/locations.md" of CPython): each entry starts with a byte that has bit 7 set.
class location_table {
public:
    location_table(std::string_view table, int first_line) : table_(table), line_(first_line), last_(first_line) {}

    int last_line() {
        while (at_ < table_.size()) {
            entry((static_cast<unsigned char>(table_[at_++]) >> 3) & 15);
        }
        return last_;
    }

private:
    void entry(int kind) {
        constexpr int no_location = 15;
        constexpr int long_form = 14;
        constexpr int no_columns = 13;
        constexpr int one_line_form = 10;
        if (kind == no_location) {
            return;
        }
        int end = 0;
        if (kind == long_form) {
            line_ += signed_number();
            end = static_cast<int>(number());
            static_cast<void>(number());
            static_cast<void>(number());
        } else if (kind == no_columns) {
            line_ += signed_number();
        } else if (kind >= one_line_form) {
            line_ += kind - one_line_form;
            at_ += 2;
        } else {
            at_ += 1;
        }
        last_ = std::max(last_, line_ + end);
    }

    /// Six bits in each byte, the lowest first; bit 6 says that more follow.
    unsigned number() {
        unsigned value = 0;
        for (unsigned shift = 0; at_ < table_.size(); shift += 6) {
            const auto byte = static_cast<unsigned char>(table_[at_++]);
            value |= shift < 30 ? (byte & 63U) << shift : 0U;
            if ((byte & 64U) == 0) {
                break;
            }
        }
        return value;
    }
    int signed_number() {
        const unsigned value = number();
        const int magnitude = static_cast<int>(value >> 1);
        return (value & 1U) != 0 ? -magnitude : magnitude;
    }

    std::string_view table_;
    std::size_t at_ = 0;
    int line_;
    int last_;
};

void extend(PyCodeObject* code, std::size_t& bytes_left, int depth, code_lines& into) {
    if (!PyBytes_CheckExact(code->co_linetable)) {
        return;
    }
    const std::string_view table(PyBytes_AS_STRING(code->co_linetable), static_cast<std::size_t>(PyBytes_GET_SIZE(code->co_linetable)));
    into.complete = into.complete && table.size() <= bytes_left && depth <= max_code_depth;
    if (depth > max_code_depth) {
        return;
    }
    into.last = std::max(into.last, location_table(table.substr(0, bytes_left), code->co_firstlineno).last_line());
    bytes_left -= std::min(bytes_left, table.size());
    PyObject* constants = code->co_consts;
    for (Py_ssize_t i = 0; PyTuple_CheckExact(constants) && i < PyTuple_GET_SIZE(constants) && bytes_left > 0; ++i) {
        if (PyObject* each = PyTuple_GET_ITEM(constants, i); PyCode_Check(each)) {
            extend(reinterpret_cast<PyCodeObject*>(each), bytes_left, depth + 1, into);
        }
    }
}

}  // namespace

code_lines lines_of(PyCodeObject* code, std::size_t max_bytes) {
    code_lines found = {.first = code->co_firstlineno, .last = code->co_firstlineno};
    extend(code, max_bytes, 0, found);
    return found;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
