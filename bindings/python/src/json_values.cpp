#include "json_values.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

namespace bindings {

namespace {

py::object steal(PyObject* made) {
    if (made == nullptr) {
        throw py::error_already_set();
    }
    return py::reinterpret_steal<py::object>(made);
}

ai::json convert(py::handle value, std::size_t depth);

ai::json integer(py::handle value) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
    if (number == -1 && PyErr_Occurred() != nullptr) {
        throw py::error_already_set();
    }
    if (overflow == 0) {
        return static_cast<std::int64_t>(number);
    }
    return text_of(steal(PyNumber_ToBase(value.ptr(), 10)));
}

ai::json object(py::handle value, std::size_t depth) {
    ai::json out = ai::json::object();
    PyObject* key = nullptr;
    PyObject* item = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(value.ptr(), &at, &key, &item) != 0;) {
        if (PyUnicode_Check(key) == 0) {
            throw py::type_error("the keys of a JSON object are str, not " + std::string(Py_TYPE(key)->tp_name));
        }
        out[text_of(key)] = convert(item, depth + 1);
    }
    return out;
}

ai::json convert(py::handle value, std::size_t depth) {
    if (depth > ai::max_json_depth) {
        throw py::value_error("the value is nested deeper than " + std::to_string(ai::max_json_depth) + " levels");
    }
    PyObject* at = value.ptr();
    if (at == Py_None) {
        return nullptr;
    }
    if (PyBool_Check(at)) {
        return at == Py_True;
    }
    if (PyLong_Check(at)) {
        return integer(value);
    }
    if (PyFloat_Check(at)) {
        const double number = PyFloat_AS_DOUBLE(at);
        return std::isfinite(number) ? ai::json(number) : ai::json();
    }
    if (PyUnicode_Check(at)) {
        return text_of(value);
    }
    if (PyDict_Check(at)) {
        return object(value, depth);
    }
    if (PyList_Check(at) || PyTuple_Check(at)) {
        ai::json out = ai::json::array();
        for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(at); ++i) {
            out.push_back(convert(PySequence_Fast_GET_ITEM(at, i), depth + 1));
        }
        return out;
    }
    throw py::type_error("an object of type " + std::string(Py_TYPE(at)->tp_name) + " is not JSON");
}

}  // namespace

std::string text_of(py::handle text) {
    const py::object bytes = steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "replace"));
    return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

py::str to_str(std::string_view text) {
    return py::reinterpret_steal<py::str>(
        steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace")).release());
}

py::object to_python(const ai::json& value) {
    if (value.is_string()) {
        return to_str(value.get_ref<const std::string&>());
    }
    if (value.is_boolean()) {
        return py::bool_(value.get<bool>());
    }
    if (value.is_number_unsigned()) {
        return py::int_(value.get<std::uint64_t>());
    }
    if (value.is_number_integer()) {
        return py::int_(value.get<std::int64_t>());
    }
    if (value.is_number_float()) {
        return py::float_(value.get<double>());
    }
    if (value.is_array()) {
        py::list out;
        for (const ai::json& each : value) {
            out.append(to_python(each));
        }
        return out;
    }
    if (value.is_object()) {
        py::dict out;
        for (const auto& [key, each] : value.items()) {
            out[to_str(key)] = to_python(each);
        }
        return out;
    }
    return py::none();
}

ai::json from_python(py::handle value) {
    return convert(value, 0);
}

}  // namespace bindings
