#include "python/look/adapters/pandas_facts.hpp"

#include "python/look/trusted_type.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

std::string first_labels(PyObject* index, std::int64_t count) {
    std::string text;
    for (const json& each : index_labels(index, count)) {
        text += (text.empty() ? "" : ", ") + std::string(*as_string(each));
    }
    return text + (index_length(index).value_or(0) > count ? ", ..." : "");
}

}  // namespace

adapted_text unknown_layout(PyObject* object) {
    return {.head = "<" + name_of(Py_TYPE(object)).name + " object of an unknown layout>"};
}

lookup of_integer(std::int64_t value) {
    return lookup::of(ref::steal(PyLong_FromLongLong(value)));
}

lookup of_shape(std::initializer_list<std::int64_t> shape) {
    ref tuple = ref::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    Py_ssize_t at = 0;
    for (const std::int64_t each : shape) {
        ref length = ref::steal(PyLong_FromLongLong(each));
        if (!tuple || !length) {
            return {};
        }
        PyTuple_SET_ITEM(tuple.get(), at++, length.release());
    }
    return lookup::of(std::move(tuple));
}

lookup of_bool(bool value) {
    return lookup::of(ref::share(value ? Py_True : Py_False));
}

lookup of_array(const pandas_values& values) {
    return values.owner ? lookup::of(values.owner) : lookup::refused("the values have an unknown layout");
}

json index_labels(PyObject* index, std::int64_t count) {
    json texts = json::array();
    for (std::int64_t i = 0; i < std::min(count, index_length(index).value_or(0)); ++i) {
        texts.push_back(index_label(index, i));
    }
    return texts;
}

std::string index_dtype(PyObject* index) {
    return range_of_index(index) ? "int64" : own_attribute(index, "_levels") ? "object" : values_of_index(index).dtype;
}

std::string index_facts(PyObject* index) {
    const std::int64_t length = index_length(index).value_or(0);
    std::string text = name_of(Py_TYPE(index)).name + " of " + std::to_string(length);
    if (const std::optional<index_range> range = range_of_index(index)) {
        const bool plain = range->start == 0 && range->step == 1;
        return text + (plain ? "" : ": " + first_labels(index, 3));
    }
    return text + " " + index_dtype(index) + ": " + first_labels(index, 3);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
