#include "python/look/adapters/families.hpp"
#include "python/look/adapters/numpy_objects.hpp"
#include "python/look/trusted_type.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr Py_ssize_t max_samples = 10;

/// Whether the object is an exact scalar of numpy other than a Python string, bytes or object.
bool is_numpy_scalar(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    return is_c_class(type) && std::string_view(type->tp_name).starts_with("numpy.") && c_base_of(type, "numpy.generic") != nullptr &&
           !PyUnicode_Check(object) && !PyBytes_Check(object);
}

bool is_numpy_dtype(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    return is_c_class(type) && std::string_view(type->tp_name).starts_with("numpy.dtype") && c_base_of(type, "numpy.dtype") != nullptr;
}

std::string numpy_type_name(PyObject* object) {
    return is_ndarray(object) ? "ndarray" : Py_TYPE(object)->tp_name;
}

adapted_text array_text(PyObject* object, std::size_t) {
    const std::optional<cells> array = numpy_cells(object);
    if (!array) {
        return {.head = "<numpy." + numpy_type_name(object) + " object>"};
    }
    return {.head = "<ndarray " + array->type().name() + " " + shape_text(array->shape()) + ": " + array->first(5) + ">"};
}

std::string array_summary(PyObject* object) {
    const std::optional<cells> array = numpy_cells(object);
    if (!array) {
        return array_text(object, 0).head;
    }
    const std::string facts = statistics_of(*array, summary_cells).text();
    return "ndarray " + array->type().name() + " " + shape_text(array->shape()) + (facts.empty() ? "" : ", " + facts) + ": " +
           array->first(3);
}

json array_details(PyObject* object, const inspect_options& options) {
    const std::optional<cells> array = numpy_cells(object);
    if (!array) {
        return nullptr;
    }
    json facts = statistics_of(*array, details_cells).facts();
    facts["dtype"] = array->type().name();
    facts["shape"] = array->shape();
    facts["bytes"] = array->size() * array->type().width;
    const auto shown = static_cast<Py_ssize_t>(std::min<std::size_t>(options.rows, max_samples));
    facts["samples"] = array->samples(shown);
    if (array->size() > shown) {
        facts["samples_left_out"] = array->size() - shown;
        facts["note"] = "samples are the first cells in C order; read others as x[i, j]";
    }
    if (!array->type().fields.empty()) {
        json& fields = facts["fields"] = json::object();
        for (const cell_type& each : array->type().fields) {
            fields[each.label] = each.name();
        }
        facts["fields_total"] = array->type().fields_total;
    }
    return facts;
}

std::optional<std::int64_t> array_length(PyObject* object) {
    const ref shape = c_field(object, "numpy.ndarray", "shape");
    const bool has_axes = shape && PyTuple_CheckExact(shape.get()) && PyTuple_GET_SIZE(shape.get()) > 0;
    return has_axes ? std::optional<std::int64_t>(PyLong_AsLongLong(PyTuple_GET_ITEM(shape.get(), 0))) : std::nullopt;
}

constexpr std::array<std::string_view, 8> array_attributes = {"shape", "dtype", "ndim", "size", "itemsize", "nbytes", "strides", "T"};
constexpr auto array_shown = std::span(array_attributes).first(6);
constexpr std::array<std::string_view, 7> dtype_attributes = {"kind", "char", "itemsize", "byteorder", "alignment", "num", "names"};

template <const auto& Names>
std::optional<lookup> field_of(PyObject* object, std::string_view base, std::string_view name) {
    const auto found = std::find(Names.begin(), Names.end(), name);
    return found == Names.end() ? std::nullopt : std::optional(lookup::of(c_field(object, base, std::string(*found).c_str())));
}

std::optional<lookup> array_attribute(PyObject* object, std::string_view name) {
    return field_of<array_attributes>(object, "numpy.ndarray", name);
}

std::optional<lookup> scalar_attribute(PyObject* object, std::string_view name) {
    return name == "T" ? std::nullopt : field_of<array_attributes>(object, "numpy.generic", name);
}

std::optional<lookup> dtype_attribute(PyObject* object, std::string_view name) {
    return field_of<dtype_attributes>(object, "numpy.dtype", name);
}

/// Whether the key is an index of numbers, which C code resolves. A boolean would be a mask.
bool is_numeric_index(PyObject* key) {
    if (!PyTuple_CheckExact(key)) {
        return PyLong_CheckExact(key);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); ++i) {
        if (!PyLong_CheckExact(PyTuple_GET_ITEM(key, i))) {
            return false;
        }
    }
    return true;
}

std::optional<lookup> array_item(PyObject* object, PyObject* key) {
    const std::optional<cells> array = numpy_cells(object);
    const auto& fields = array ? array->type().fields : std::vector<cell_type>();
    const bool is_field =
        PyUnicode_CheckExact(key) &&
        std::any_of(fields.begin(), fields.end(), [name = to_utf8(key)](const cell_type& each) { return each.label == name; });
    if (is_field && array->type().fields_total > fields.size()) {
        return lookup::refused("the dtype has too many fields");
    }
    if (!is_field && !is_numeric_index(key)) {
        return lookup{.what = lookup::kind::unfit, .why = "a path can index an array only with integers and names of fields"};
    }
    const Py_ssize_t indices = PyTuple_CheckExact(key) ? PyTuple_GET_SIZE(key) : 1;
    if (!is_field && array && indices > static_cast<Py_ssize_t>(array->shape().size())) {
        return lookup{.what = lookup::kind::unfit, .why = "too many indices: the array has shape " + shape_text(array->shape())};
    }
    lookup item = lookup::of(ref::steal(Py_TYPE(object)->tp_as_mapping->mp_subscript(object, key)));
    PyErr_Clear();
    return item;
}

adapted_text scalar_text(PyObject* object, std::size_t) {
    const std::optional<cells> value = numpy_cells(object);
    const std::string name = Py_TYPE(object)->tp_name;
    return {.head = value ? name + "(" + value->first(1) + ")" : "<" + name + " object>"};
}

adapted_text dtype_text(PyObject* object, std::size_t) {
    return {.head = "dtype('" + cell_type_of(object).name() + "')"};
}

constexpr adapter array_adapter = {.text = &array_text,
                                   .summary = &array_summary,
                                   .details = &array_details,
                                   .length = &array_length,
                                   .attribute = &array_attribute,
                                   .item = &array_item,
                                   .shown = array_shown};
constexpr adapter scalar_adapter = {.text = &scalar_text, .attribute = &scalar_attribute, .shown = std::span(array_attributes).first(2)};
constexpr adapter dtype_adapter = {.text = &dtype_text, .attribute = &dtype_attribute, .shown = dtype_attributes};

}  // namespace

bool is_ndarray(PyObject* object) {
    return object != nullptr && is_c_class(Py_TYPE(object), "numpy.ndarray");
}

std::optional<cells> numpy_cells(PyObject* object) {
    const bool array = is_ndarray(object);
    if (!array && !is_numpy_scalar(object)) {
        return std::nullopt;
    }
    const ref dtype = c_field(object, array ? "numpy.ndarray" : "numpy.generic", "dtype");
    return dtype && is_numpy_dtype(dtype.get()) ? cells::of(object, cell_type_of(dtype.get())) : std::nullopt;
}

ref ndarray_item(PyObject* array, Py_ssize_t position) {
    const ref key = ref::steal(PyLong_FromSsize_t(position));
    ref item = key && is_ndarray(array) ? ref::steal(Py_TYPE(array)->tp_as_mapping->mp_subscript(array, key.get())) : ref();
    PyErr_Clear();
    return item;
}

const adapter* find_numpy_adapter(PyObject* object) {
    if (!std::string_view(Py_TYPE(object)->tp_name).starts_with("numpy.")) {
        return nullptr;
    }
    return is_ndarray(object)        ? &array_adapter
           : is_numpy_scalar(object) ? &scalar_adapter
           : is_numpy_dtype(object)  ? &dtype_adapter
                                     : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
