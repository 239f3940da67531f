#include "errors.hpp"

#include "json_values.hpp"

#include <chrono>

namespace bindings {

void raise(const char* name, const ai::failure& why) {
    const py::object type = py::module_::import("pyaichat._errors").attr(name);
    const py::object error = type(to_str(why.message), py::arg("hint") = to_str(why.hint));
    PyErr_SetObject(type.ptr(), error.ptr());
    throw py::error_already_set();
}

std::string line_of(const py::error_already_set& error) {
    const std::string type = reinterpret_cast<const PyTypeObject*>(error.type().ptr())->tp_name;
    try {
        const std::string text = text_of(py::str(error.value()));
        return text.empty() ? type : type + ": " + text;
    } catch (const py::error_already_set&) {
        return type;  // its text raises too
    }
}

py::object failure_to_python(const ai::failure& why) {
    py::dict out;
    out["code"] = to_str(ai::to_string(why.code));
    out["message"] = to_str(why.message);
    out["hint"] = to_str(why.hint);
    out["retry_after"] = why.retry_after ? py::object(py::float_(std::chrono::duration<double>(*why.retry_after).count())) : py::none();
    return out;
}

}  // namespace bindings
