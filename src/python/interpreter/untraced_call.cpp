#include "python/interpreter/untraced_call.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

PyObject* call_untraced(PyObject* function, PyObject* arguments, PyObject* named) {
    const tracing_pause untraced;
    return PyObject_Call(function, arguments, named);
}

PyObject* display(PyObject* show, PyObject* value) {
    if (value == Py_None) {
        Py_RETURN_NONE;
    }
    const ref text = ref::steal(PyObject_Repr(value));
    if (!text) {
        return nullptr;
    }
    const tracing_pause untraced;
    return PyObject_CallFunctionObjArgs(show, value, text.get(), nullptr);
}

// The casts are those of CPython's own tables: the flags say how the function is called.
PyMethodDef untraced_definition = {"untraced", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call_untraced)),
                                   METH_VARARGS | METH_KEYWORDS, nullptr};
PyMethodDef display_definition = {"displayhook", &display, METH_O, nullptr};

PyObject* make_untraced(PyObject* /*module*/, PyObject* function) {
    return PyCFunction_New(&untraced_definition, function);
}

PyObject* make_display(PyObject* /*module*/, PyObject* function) {
    return PyCFunction_New(&display_definition, function);
}

PyMethodDef makers[] = {{"untraced", &make_untraced, METH_O, nullptr}, {"display_with", &make_display, METH_O, nullptr}, {}};

}  // namespace

bool add_untraced_functions(PyObject* module) {
    return PyModule_AddFunctions(module, makers) == 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
