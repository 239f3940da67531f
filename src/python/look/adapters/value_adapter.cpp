#include "python/look/adapters/families.hpp"
#include "python/look/trusted_type.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Larger decimals are only described, because converting them takes time.
constexpr long max_decimal_bytes = 4'096;

adapted_text decimal_text(PyObject* object, std::size_t) {
    PyObject* size_method = find_name(type_dict(Py_TYPE(object)).get(), "__sizeof__");
    const ref size = size_method != nullptr && Py_TYPE(size_method) == &PyMethodDescr_Type
                         ? ref::steal(PyObject_CallOneArg(size_method, object))
                         : ref();
    const bool small = size && PyLong_CheckExact(size.get()) && PyLong_AsLong(size.get()) <= max_decimal_bytes;
    const ref text = small ? ref::steal(Py_TYPE(object)->tp_repr(object)) : ref();  // C code that reads the number and the context
    PyErr_Clear();
    return {.head = small ? text_or(text.get(), "Decimal(?)") : "<Decimal with many digits>"};
}

adapted_text fraction_text(PyObject* object, std::size_t) {
    return {.head = "Fraction(",
            .parts = {{"", slot_attribute(object, "_numerator")}, {"", slot_attribute(object, "_denominator")}},
            .tail = ")"};
}

/// Appends a part of a path as pathlib joins it.
void join_path(std::string& path, const std::string& part) {
    const bool separated = path.empty() || path.ends_with('/') || part.empty();
    path = part.starts_with('/') ? part : path + (separated ? "" : "/") + part;
}

std::string joined_path(PyObject* parts) {
    std::string path;
    for (item_walk each(parts); each.next();) {
        join_path(path, text_or(each.value.get()));
    }
    return path;
}

adapted_text path_text(PyObject* object, std::size_t) {
    std::string path;
    const ref cached = slot_attribute(object, "_str");
    const ref raw = slot_attribute(object, "_raw_paths");  // since 3.12
    const ref parts = slot_attribute(object, "_parts");    // until 3.11
    if (cached && PyUnicode_Check(cached.get())) {
        path = to_utf8(cached.get());
    } else if (raw && PyList_CheckExact(raw.get())) {
        path = joined_path(raw.get());
    } else if (parts && PyList_CheckExact(parts.get())) {
        path = joined_path(parts.get());
    }
    const ref text = to_python(path.empty() ? "." : path);
    PyErr_Clear();
    return {.head = std::string(Py_TYPE(object)->tp_name) + "(", .parts = {{"", text}}, .tail = ")"};
}

adapted_text uuid_text(PyObject* object, std::size_t) {
    const ref number = slot_attribute(object, "int");
    const ref digits = number && PyLong_CheckExact(number.get()) ? ref::steal(PyNumber_ToBase(number.get(), 16)) : ref();
    PyErr_Clear();
    std::string hex = text_or(digits.get(), "").substr(digits ? 2 : 0);
    if (hex.empty() || hex.size() > 32) {
        return {.head = "<UUID object>"};
    }
    hex.insert(0, 32 - hex.size(), '0');
    for (const std::size_t at : {20U, 16U, 12U, 8U}) {
        hex.insert(at, "-");
    }
    return {.head = "UUID('" + hex + "')"};
}

/// A member of an enumeration: `<Color.RED: 1>`.
adapted_text member_text(PyObject* object, std::size_t) {
    const ref name = own_attribute(object, "_name_");
    return {.head = "<" + name_of(Py_TYPE(object)).qualified() + "." + text_or(name.get()) + ": ",
            .parts = {{"", own_attribute(object, "_value_")}},
            .tail = ">"};
}

std::optional<lookup> member_attribute(PyObject* object, std::string_view name) {
    if (name != "name" && name != "value") {
        return std::nullopt;
    }
    ref own = own_attribute(object, name == "name" ? "_name_" : "_value_");
    return own ? std::optional(lookup::of(std::move(own))) : std::nullopt;
}

/// Whether the object is a member of a class that derives from `enum.Enum`.
bool is_enum_member(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if (Py_TYPE(type) == &PyType_Type || own_attribute(object, "_value_").get() == nullptr) {
        return false;
    }
    for (const class_namespace& each : namespaces_of(type)) {
        auto* owner = reinterpret_cast<PyTypeObject*>(each.owner.get());
        if (std::strcmp(owner->tp_name, "Enum") == 0) {
            return is_class_of(owner, "enum", "Enum");
        }
    }
    return false;
}

/// The fields of an instance of a data class: a dict of names; null for other objects.
ref dataclass_fields(PyObject* object) {
    const bool may_be =
        (Py_TYPE(object)->tp_flags & Py_TPFLAGS_HEAPTYPE) != 0 && !is_container(object) && loaded_module("dataclasses") != nullptr;
    const ref fields = may_be ? find_in_mro(Py_TYPE(object), "__dataclass_fields__") : ref();
    return fields && PyDict_CheckExact(fields.get()) ? fields : ref();
}

/// Whether the field is printed: a real field (not a class variable) that was not declared with `repr=False`.
bool is_printed_field(PyObject* field) {
    const ref print = slot_attribute(field, "repr");
    const ref kind = slot_attribute(field, "_field_type");
    const ref kind_name = kind ? own_attribute(kind.get(), "name") : ref();
    return print.get() != Py_False && text_or(kind_name.get(), "_FIELD") == "_FIELD";
}

adapted_text dataclass_text(PyObject* object, std::size_t max_parts) {
    adapted_text text{.head = name_of(Py_TYPE(object)).qualified() + "(", .tail = ")"};
    const ref fields = dataclass_fields(object);
    std::vector<std::pair<ref, ref>> entries;
    for (dict_cursor each{fields.get()}; each.next();) {
        entries.emplace_back(ref::share(each.key), ref::share(each.value));
    }
    for (const auto& [name, field] : entries) {
        if (!PyUnicode_CheckExact(name.get()) || !is_printed_field(field.get())) {
            continue;
        }
        lookup value = static_attribute(object, name.get());
        if (text.parts.size() == max_parts) {
            ++text.left_out;
        } else if (value.found()) {
            text.parts.push_back({to_utf8(name.get()) + "=", std::move(value.value)});
        } else {
            text.parts.push_back({to_utf8(name.get()) + "=?", {}});
        }
    }
    return text;
}

adapted_text pattern_text(PyObject* object, std::size_t) {
    adapted_text text{.head = "re.compile(", .parts = {{"", c_field(object, "re.Pattern", "pattern")}}, .tail = ")"};
    constexpr long unicode_flag = 32;  // set for every pattern of text
    const ref flags = c_field(object, "re.Pattern", "flags");
    const long bits = flags && PyLong_CheckExact(flags.get()) ? PyLong_AsLong(flags.get()) & ~unicode_flag : 0;
    if (bits != 0) {
        text.tail = ", flags=" + std::to_string(bits) + ")";
    }
    return text;
}

constexpr adapter decimal_adapter = {.text = &decimal_text};
constexpr adapter fraction_adapter = {.text = &fraction_text};
constexpr adapter path_adapter = {.text = &path_text};
constexpr adapter uuid_adapter = {.text = &uuid_text};
constexpr adapter member_adapter = {.text = &member_text, .attribute = &member_attribute};
constexpr adapter dataclass_adapter = {.text = &dataclass_text};
constexpr adapter pattern_adapter = {.text = &pattern_text};

struct value_class {
    std::string_view name;
    const char* module;
    const adapter* known;
};

constexpr std::array<value_class, 6> value_classes = {{{"Fraction", "fractions", &fraction_adapter},
                                                       {"UUID", "uuid", &uuid_adapter},
                                                       {"PosixPath", "pathlib", &path_adapter},
                                                       {"PurePosixPath", "pathlib", &path_adapter},
                                                       {"WindowsPath", "pathlib", &path_adapter},
                                                       {"PureWindowsPath", "pathlib", &path_adapter}}};

}  // namespace

const adapter* find_value_adapter(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    const std::string_view name = type->tp_name;
    if (is_c_class(type)) {
        return name == "decimal.Decimal" ? &decimal_adapter : name == "re.Pattern" ? &pattern_adapter : nullptr;
    }
    for (const value_class& each : value_classes) {
        if (each.name == name && is_class_of(type, each.module, std::string(each.name).c_str())) {
            return each.known;
        }
    }
    return is_enum_member(object) ? &member_adapter : dataclass_fields(object) ? &dataclass_adapter : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
