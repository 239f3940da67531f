#include "python/interpreter/error_printer.hpp"

#if PY_VERSION_HEX < 0x030C0000
// Exported by libpython 3.11, but declared only in its internal headers.
extern "C" void _PyErr_Display(PyObject* file, PyObject* type, PyObject* error, PyObject* trace);  // NOLINT(bugprone-reserved-identifier)
#endif

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

#if PY_VERSION_HEX < 0x030C0000

namespace {

PyObject* print_error(PyObject* /*module*/, PyObject* arguments) {
    PyObject* file = nullptr;
    PyObject* error = nullptr;
    if (PyArg_ParseTuple(arguments, "OO!", &file, PyExc_BaseException, &error) == 0) {
        return nullptr;
    }
    _PyErr_Display(file, reinterpret_cast<PyObject*>(Py_TYPE(error)), error, Py_None);
    PyErr_Clear();
    Py_RETURN_NONE;
}

PyMethodDef printers[] = {{"print_error", &print_error, METH_VARARGS, nullptr}, {}};

}  // namespace

bool add_error_printer(PyObject* module) {
    return PyModule_AddFunctions(module, printers) == 0;
}

#else

bool add_error_printer(PyObject* /*module*/) {
    return true;
}

#endif

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
