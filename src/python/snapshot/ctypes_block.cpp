#include "python/snapshot/ctypes_block.hpp"

#include "python/look/static_lookup.hpp"
#include "python/python_api.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

PyObject* refuse_call(PyObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_PermissionError, "ctypes functions are refused: a snapshot cannot call native code by its address");
    return nullptr;
}

PyObject* refuse_wrapped_call(PyObject* self, PyObject*, void*) {
    return refuse_call(self, nullptr, nullptr);
}

/// A subclass inherits the slot of its base when it is created, so each class has to be changed.
void refuse_calls_of(PyTypeObject* type, int depth) {
    constexpr int max_depth = 64;
    type->tp_call = &refuse_call;
    // `type(f).__call__` holds the function of the slot, and the code may already have it.
    const ref names = type_dict(type);
    PyObject* wrapper = find_name(names.get(), "__call__");
    if (wrapper != nullptr && Py_IS_TYPE(wrapper, &PyWrapperDescr_Type)) {
        reinterpret_cast<PyWrapperDescrObject*>(wrapper)->d_wrapped = reinterpret_cast<void*>(&refuse_wrapped_call);
    }
    PyType_Modified(type);
    const ref subclasses = depth < max_depth ? ref::steal(PyObject_CallMethod(reinterpret_cast<PyObject*>(&PyType_Type), "__subclasses__",
                                                                              "O", reinterpret_cast<PyObject*>(type)))
                                             : ref();
    for (Py_ssize_t i = 0; subclasses && i < PyList_GET_SIZE(subclasses.get()); ++i) {
        refuse_calls_of(reinterpret_cast<PyTypeObject*>(PyList_GET_ITEM(subclasses.get(), i)), depth + 1);
    }
}

}  // namespace

void refuse_ctypes_calls() {
    PyObject* module = find_name(PyImport_GetModuleDict(), "_ctypes");
    PyObject* type = module != nullptr && PyModule_Check(module) ? find_name(PyModule_GetDict(module), "CFuncPtr") : nullptr;
    if (type != nullptr && PyType_Check(type)) {
        refuse_calls_of(reinterpret_cast<PyTypeObject*>(type), 0);
    }
    PyErr_Clear();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
