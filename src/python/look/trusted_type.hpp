#pragma once
#include "python/python_api.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// Identifies the types of well-known libraries, without imports and without user code.

/// Whether a class was written in C. Python code cannot create or change such a class, so its name identifies it.
[[nodiscard]] inline bool is_c_class(const PyTypeObject* type) {
    return (type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0 || (type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE) != 0;
}

/// Whether `type` is the C class `name`, such as `numpy.ndarray`.
[[nodiscard]] inline bool is_c_class(const PyTypeObject* type, std::string_view name) {
    return is_c_class(type) && name == type->tp_name;
}

/// The C class `name` among the classes that `type` derives from, itself included; null if there is none.
[[nodiscard]] PyTypeObject* c_base_of(PyTypeObject* type, std::string_view name);

/// Reads a field of an object that derives from the C class `base`, through the descriptor of that class. Only for fields whose getter is C
/// code that reads the object alone. Null, without an error set, if there is no such field.
[[nodiscard]] ref c_field(PyObject* object, std::string_view base, const char* name);

/// The module `name` if it has been imported. Borrowed, or null.
[[nodiscard]] PyObject* loaded_module(const char* name);

/// Whether `type` is the class that the loaded module has under `name`. The module may still be a forgery: callers must not run code of the
/// class, and must check the type of everything that they read from its instances.
[[nodiscard]] bool is_class_of(PyTypeObject* type, const char* module, const char* name);

/// Reads an instance attribute from the dict of the object. Null if there is none.
[[nodiscard]] ref own_attribute(PyObject* object, const char* name);

/// Reads a `__slots__` member through the descriptor of the object's class. Null if it is not set or not a plain slot.
[[nodiscard]] ref slot_attribute(PyObject* object, const char* name);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
