#include "python/session/variable_baseline.hpp"

#include "python/look/static_lookup.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr Py_ssize_t max_fingerprint_items = 32;  // at each end
constexpr std::size_t max_fingerprint_bytes = 256;
constexpr Py_ssize_t max_baseline_name = 1000;

class contents_hash {
public:
    void add(std::uint64_t value) { state_ = (state_ ^ value) * 0x100000001B3ULL + (state_ >> 29); }
    void add(const void* address) { add(static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address))); }
    void add(std::string_view bytes) {
        const std::size_t part = std::min(bytes.size(), max_fingerprint_bytes);
        add(std::hash<std::string_view>()(bytes.substr(0, part)));
        add(std::hash<std::string_view>()(bytes.substr(bytes.size() - part)));
        add(static_cast<std::uint64_t>(bytes.size()));
    }
    [[nodiscard]] std::uint64_t value() const noexcept { return state_; }

private:
    std::uint64_t state_ = 0xCBF29CE484222325ULL;
};

void add_entries(PyObject* dict, contents_hash& into) {
    into.add(static_cast<std::uint64_t>(PyDict_GET_SIZE(dict)));
    Py_ssize_t left = 2 * max_fingerprint_items;
    for (dict_cursor each{dict}; left > 0 && each.next(); --left) {
        into.add(each.key);
        into.add(each.value);
    }
}

void add_items(PyObject* sequence, contents_hash& into) {
    const Py_ssize_t count = Py_SIZE(sequence);
    into.add(static_cast<std::uint64_t>(count));
    for (Py_ssize_t i = 0; i < count; ++i) {
        if (i == max_fingerprint_items) {
            i = std::max(i, count - max_fingerprint_items);
        }
        into.add(PyList_Check(sequence) ? PyList_GET_ITEM(sequence, i) : PyTuple_GET_ITEM(sequence, i));
    }
}

bool is_dunder(PyObject* name) {
    return (PyUnicode_GET_LENGTH(name) == 1 && PyUnicode_READ_CHAR(name, 0) == '_') ||
           (PyUnicode_GET_LENGTH(name) > 4 && PyUnicode_READ_CHAR(name, 0) == '_' && PyUnicode_READ_CHAR(name, 1) == '_');
}

}  // namespace

variable_baseline::fingerprint variable_baseline::fingerprint_of(PyObject* value) {
    contents_hash contents;
    if (PyLong_CheckExact(value) || PyFloat_CheckExact(value)) {
        contents.add(static_cast<std::uint64_t>(PyObject_Hash(value)));  // C code of an exact number
    } else if (PyUnicode_Check(value)) {
        const auto size = static_cast<std::size_t>(PyUnicode_GET_LENGTH(value)) * static_cast<std::size_t>(PyUnicode_KIND(value));
        contents.add(std::string_view(static_cast<const char*>(PyUnicode_DATA(value)), size));
    } else if (PyBytes_Check(value) || PyByteArray_Check(value)) {
        const char* data = PyBytes_Check(value) ? PyBytes_AS_STRING(value) : PyByteArray_AS_STRING(value);
        contents.add(std::string_view(data, static_cast<std::size_t>(Py_SIZE(value))));
    } else if (PyList_Check(value) || PyTuple_Check(value)) {
        add_items(value, contents);
    } else if (PyDict_Check(value)) {
        add_entries(value, contents);
    } else if (PyAnySet_Check(value)) {
        contents.add(static_cast<std::uint64_t>(PySet_GET_SIZE(value)));
    } else if (!PyModule_Check(value) && !PyType_Check(value) && !PyFunction_Check(value)) {
        if (const ref attributes = instance_dict(value); attributes && PyDict_Check(attributes.get())) {
            add_entries(attributes.get(), contents);
        }
    }
    return {.object = value, .type = Py_TYPE(value), .contents = contents.value()};
}

variable_changes variable_baseline::update(PyObject* globals) {
    variable_changes changes;
    changes.is_first = !std::exchange(has_baseline_, true);
    std::unordered_map<std::string, fingerprint> now;
    for (dict_cursor each{globals}; each.next();) {
        if (!PyUnicode_CheckExact(each.key) || is_dunder(each.key) || hides_name(each.key) ||
            PyUnicode_GET_LENGTH(each.key) > max_baseline_name) {
            continue;
        }
        if (now.size() == max_names) {
            changes.complete = false;
            break;
        }
        const auto [place, is_new] = now.try_emplace(to_utf8(each.key), fingerprint_of(each.value));
        const auto before = known_.find(place->first);
        const found_variable variable = {each.key, each.value};
        if (before == known_.end()) {
            changes.added.push_back(variable);
        } else if (before->second.object != place->second.object || before->second.type != place->second.type) {
            changes.rebound.push_back(variable);
        } else if (before->second.contents != place->second.contents) {
            changes.changed.push_back(variable);
        }
    }
    for (const auto& [name, each] : known_) {
        if (changes.complete && !now.contains(name) && !hides_name(name)) {
            changes.removed.push_back(name);
        }
    }
    std::sort(changes.removed.begin(), changes.removed.end());
    changes.compared = now.size();
    known_ = std::move(now);
    return changes;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
