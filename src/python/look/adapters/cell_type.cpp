#include "python/look/adapters/cell_type.hpp"

#include "python/look/adapters/cell_reader.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"
#include "python/look/trusted_type.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_cell_depth = 4;
constexpr std::size_t max_cell_fields = 200;
constexpr std::size_t max_printed_fields = 12;
constexpr std::size_t max_cell_text = 40;

char first_character(const ref& text) {
    return text && PyUnicode_CheckExact(text.get()) && PyUnicode_GET_LENGTH(text.get()) > 0
               ? static_cast<char>(PyUnicode_READ_CHAR(text.get(), 0) & 0x7F)
               : '\0';
}

/// Reads the `[25s]` at the end of numpy's type string.
void read_unit(const std::string& type_string, cell_type& type) {
    const std::size_t open = type_string.find('[');
    const std::size_t close = type_string.find(']');
    if (open == std::string::npos || close == std::string::npos || close < open) {
        return;
    }
    const std::string inside = type_string.substr(open + 1, close - open - 1);
    const auto [rest, error] = std::from_chars(inside.data(), inside.data() + inside.size(), type.scale);
    type.scale = error == std::errc() ? type.scale : 1;
    type.unit.assign(rest, inside.data() + inside.size());
}

PyObject* referent_of(PyObject* proxy) {
    PyObject* found = nullptr;
    const visitproc keep = [](PyObject* each, void* into) {
        *static_cast<PyObject**>(into) = each;
        return 1;
    };
    PyDictProxy_Type.tp_traverse(proxy, keep, static_cast<void*>(&found));
    return found;
}

/// Reads the fields of a structured dtype. The proxy is read through its dict, because titles may be objects that define `__eq__`.
void read_fields(PyObject* dtype, int depth, cell_type& type) {
    const ref names = c_field(dtype, "numpy.dtype", "names");
    const ref proxy = c_field(dtype, "numpy.dtype", "fields");
    PyObject* entries = proxy && Py_TYPE(proxy.get()) == &PyDictProxy_Type ? referent_of(proxy.get()) : nullptr;
    if (!names || !PyTuple_CheckExact(names.get()) || entries == nullptr) {
        return;
    }
    for (dict_cursor each{entries}; each.next();) {
        if (!PyUnicode_CheckExact(each.key)) {
            return;  // the title of a field is not a string: looking a field up by its hash could run `__eq__`
        }
    }
    type.fields_total = static_cast<std::size_t>(PyTuple_GET_SIZE(names.get()));
    for (std::size_t i = 0; i < std::min(type.fields_total, max_cell_fields); ++i) {
        PyObject* name = PyTuple_GET_ITEM(names.get(), static_cast<Py_ssize_t>(i));
        PyObject* entry = PyUnicode_CheckExact(name) ? find_name(entries, name) : nullptr;
        if (entry != nullptr && PyTuple_CheckExact(entry) && PyTuple_GET_SIZE(entry) >= 2 &&
            PyLong_CheckExact(PyTuple_GET_ITEM(entry, 1))) {
            cell_type field = cell_type_of(PyTuple_GET_ITEM(entry, 0), depth + 1);
            field.label = to_utf8(name);
            field.offset = PyLong_AsSsize_t(PyTuple_GET_ITEM(entry, 1));
            type.fields.push_back(std::move(field));
        }
    }
}

std::string with_point(std::string text) {
    const bool whole = std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
    return whole ? text + ".0" : text;
}

template <class Float>
std::string digits_of(Float value) {
    char text[64];
    const auto [end, error] = std::to_chars(std::begin(text), std::end(text), value);
    return error == std::errc() ? with_point(std::string(std::begin(text), end)) : std::string("?");
}

std::string complex_text(const cell_type& type, const char* address) {
    const cell_type part = {.kind = 'f', .width = type.width / 2, .swapped = type.swapped};
    const std::string imaginary = cell_text(part, address + part.width);
    return cell_text(part, address) + (imaginary.starts_with('-') ? "" : "+") + imaginary + "j";
}

std::string printed_cell(const ref& value) {
    return value ? short_text(value.get(), max_cell_text) : std::string("?");
}

std::string bytes_text(const char* address, Py_ssize_t width) {
    const std::string_view all(address, static_cast<std::size_t>(std::min(width, Py_ssize_t{256})));
    const std::size_t end = all.find_last_not_of('\0');
    const std::string_view kept = all.substr(0, end == std::string_view::npos ? 0 : end + 1);
    return printed_cell(ref::steal(PyBytes_FromStringAndSize(kept.data(), static_cast<Py_ssize_t>(kept.size()))));
}

std::string unicode_text(const cell_type& type, const char* address) {
    const cell_type letter = {.kind = 'u', .width = 4, .swapped = type.swapped};
    std::u32string code_points;
    for (Py_ssize_t at = 0; at + 4 <= std::min(type.width, Py_ssize_t{1024}); at += 4) {
        const auto code = static_cast<char32_t>(read_cell<std::uint32_t>(address + at, letter.swapped));
        code_points.push_back(code <= 0x10FFFF ? code : 0xFFFD);
    }
    code_points.erase(code_points.find_last_not_of(U'\0') + 1);
    ref text = ref::steal(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, code_points.data(), static_cast<Py_ssize_t>(code_points.size())));
    PyErr_Clear();
    return printed_cell(text);
}

std::string struct_text(const cell_type& type, const char* address) {
    if (type.fields.empty()) {
        return "<" + std::to_string(type.width) + " bytes>";
    }
    std::string text = "(";
    const std::size_t shown = std::min(type.fields.size(), max_printed_fields);
    for (const cell_type& each : std::span(type.fields).first(shown)) {
        const bool inside = each.offset >= 0 && each.offset + each.width <= type.width;
        text += (text.size() == 1 ? "" : ", ") + (inside ? cell_text(each, address + each.offset) : std::string("?"));
    }
    return text + (type.fields_total > shown ? ", ...)" : ")");
}

}  // namespace

std::string cell_type::name() const {
    const auto bits = [&] { return std::to_string(width * 8); };
    const std::string order = swapped ? " (swapped bytes)" : "";
    switch (kind) {
        case 'b': return "bool";
        case 'i': return "int" + bits() + order;
        case 'u': return "uint" + bits() + order;
        case 'f': return "float" + bits() + order;
        case 'c': return "complex" + bits() + order;
        case 'O': return "object";
        case 'S': return "S" + std::to_string(width);
        case 'U': return "U" + std::to_string(width / 4) + order;
        case 'M':
        case 'm': {
            const std::string steps = scale == 1 ? unit : std::to_string(scale) + unit;
            return (kind == 'M' ? "datetime64" : "timedelta64") + (unit.empty() ? "" : "[" + steps + "]") + order;
        }
        default: break;
    }
    if (fields.empty()) {
        return "void" + bits();
    }
    std::string text = "{";
    const std::size_t shown = std::min(fields.size(), max_printed_fields);
    for (const cell_type& each : std::span(fields).first(shown)) {
        text += (text.size() == 1 ? "" : ", ") + each.label + ": " + each.name();
    }
    return text + (fields_total > shown ? ", ... " + std::to_string(fields_total - shown) + " more}" : "}");
}

cell_type cell_type_of(PyObject* dtype, int depth) {
    cell_type type;
    const ref width = c_field(dtype, "numpy.dtype", "itemsize");
    if (!is_c_class(Py_TYPE(dtype)) || !width || !PyLong_CheckExact(width.get()) || depth > max_cell_depth) {
        return type;
    }
    type.kind = first_character(c_field(dtype, "numpy.dtype", "kind"));
    type.width = PyLong_AsSsize_t(width.get());
    const char order = first_character(c_field(dtype, "numpy.dtype", "byteorder"));
    type.swapped = order == (std::endian::native == std::endian::little ? '>' : '<');
    if (type.kind == 'M' || type.kind == 'm') {
        read_unit(text_or(c_field(dtype, "numpy.dtype", "str").get(), ""), type);
    } else if (type.kind == 'V') {
        read_fields(dtype, depth, type);
    }
    return type;
}

cell_type cell_type_of(std::string_view format, Py_ssize_t width) {
    cell_type type{.width = width};
    const std::string_view code = format.starts_with('@') ? format.substr(1) : format;
    if (code.size() == 1) {
        constexpr std::string_view signed_codes = "bhilqn";
        constexpr std::string_view unsigned_codes = "BHILQN";
        type.kind = signed_codes.find(code[0]) != std::string_view::npos     ? 'i'
                    : unsigned_codes.find(code[0]) != std::string_view::npos ? 'u'
                    : code[0] == 'e' || code[0] == 'f' || code[0] == 'd'     ? 'f'
                    : code[0] == '?'                                         ? 'b'
                    : code[0] == 'c'                                         ? 'S'
                    : (code[0] == 'w' || code[0] == 'u') && width == 4       ? 'U'
                                                                             : 'V';
    }
    return type;
}

std::string scalar_object_text(PyObject* object) {
    if (object == nullptr) {
        return "None";
    }
    PyTypeObject* type = Py_TYPE(object);
    const bool plain = object == Py_None || type == &PyUnicode_Type || type == &PyLong_Type || type == &PyFloat_Type ||
                       type == &PyBool_Type || type == &PyBytes_Type;
    return plain ? short_text(object, max_cell_text) : "<" + name_of(type).qualified() + ">";
}

PyObject* cell_object(const char* address) {
    return read_cell<PyObject*>(address, false);
}

bool is_missing_object(PyObject* object) {
    if (object == nullptr || object == Py_None) {
        return true;
    }
    if (PyFloat_CheckExact(object)) {
        return std::isnan(PyFloat_AS_DOUBLE(object));
    }
    const std::string_view name = Py_TYPE(object)->tp_name;
    return (name == "NaTType" && c_base_of(Py_TYPE(object), "pandas._libs.tslibs.nattype._NaT") != nullptr) ||
           (name == "NAType" && is_class_of(Py_TYPE(object), "pandas._libs.missing", "NAType"));
}

std::optional<std::int64_t> cell_integer(const cell_type& type, const char* address) {
    std::optional<std::int64_t> value;
    if (type.kind == 'i' || type.kind == 'u' || type.kind == 'b' || type.kind == 'M' || type.kind == 'm') {
        with_number(type, [&]<class T>(std::type_identity<T>) {
            if constexpr (std::is_integral_v<T>) {
                const T number = read_cell<T>(address, type.swapped);
                if (std::in_range<std::int64_t>(number)) {
                    value = static_cast<std::int64_t>(number);
                }
            }
        });
    }
    return value;
}

std::string float_text(double value, int digits) {
    if (digits == 0) {
        return digits_of(value);
    }
    char text[64];
    const auto [end, error] = std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, digits);
    return error == std::errc() ? std::string(std::begin(text), end) : std::string("?");
}

std::string cell_text(const cell_type& type, const char* address) {
    switch (type.kind) {
        case 'b': return *address != 0 ? "True" : "False";
        case 'c': return complex_text(type, address);
        case 'O': return scalar_object_text(cell_object(address));
        case 'S': return bytes_text(address, type.width);
        case 'U': return unicode_text(type, address);
        case 'M': return time_text(read_cell<std::int64_t>(address, type.swapped), type);
        case 'm': return duration_text(read_cell<std::int64_t>(address, type.swapped), type);
        case 'i':
        case 'u':
        case 'f': {
            std::string text = "?";
            with_number(type, [&]<class T>(std::type_identity<T>) {
                const auto number = read_cell<T>(address, type.swapped);
                if constexpr (std::is_integral_v<T>) {
                    text = std::to_string(number);
                } else if constexpr (std::is_same_v<T, half>) {
                    text = digits_of(static_cast<float>(number));
                } else {
                    text = digits_of(number);
                }
            });
            return text;
        }
        default: return struct_text(type, address);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
