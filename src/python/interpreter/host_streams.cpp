#include "python/interpreter/host_streams.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

// Names in the bootstrap code.
constexpr const char* owner_name = "owner";
constexpr const char* host_member = "_host";

}  // namespace

bool host_streams::route(const python_runtime& runtime, PyObject* module) {
    const ref thread = ref::steal(PyLong_FromUnsignedLong(PyThread_get_thread_ident()));
    bool routed = thread && PyDict_SetItemString(runtime.names(), owner_name, thread.get()) == 0;
    for (stream& each : streams_) {
        routed = routed && route(each, runtime, module);
    }
    if (!routed) {
        const ref error = take_exception();
        restore(runtime);
        PyErr_SetObject(error ? reinterpret_cast<PyObject*>(Py_TYPE(error.get())) : PyExc_RuntimeError, error.get());
    }
    return routed;
}

bool host_streams::route(stream& each, const python_runtime& runtime, PyObject* module) {
    const ref name = ref::steal(PyUnicode_FromString(each.name));
    for (;;) {
        const ref present = ref::share(PySys_GetObject(each.name));
        // Routed streams of earlier work may still be there, if the host has replaced and restored the stream while that work ran.
        const ref host = name && present ? runtime.call("original", present.get()) : ref();
        const ref routed = name ? runtime.call("routed", name.get(), host ? host.get() : Py_None, module) : ref();
        if (!routed) {
            return false;
        }
        if (PySys_GetObject(each.name) == present.get()) {  // else another thread has replaced it in the meantime
            each.host = host;
            each.routed = routed;
            return PySys_SetObject(each.name, routed.get()) == 0;
        }
    }
}

void host_streams::restore(const python_runtime& runtime) noexcept {
    if (PyDict_SetItemString(runtime.names(), owner_name, Py_None) != 0) {
        PyErr_Clear();
    }
    for (stream& each : streams_) {
        ref present = ref::share(PySys_GetObject(each.name));
        const bool is_last = each.routed && present.get() == each.routed.get();
        const bool is_earlier = each.routed && !is_last && present && Py_TYPE(present.get()) == Py_TYPE(each.routed.get());
        while (is_earlier && present && Py_TYPE(present.get()) == Py_TYPE(each.routed.get())) {
            present = ref::steal(PyObject_GetAttrString(present.get(), host_member));  // the end of a redirection has restored it
        }
        if ((is_last && PySys_SetObject(each.name, each.host.get()) != 0) ||
            (is_earlier && (!present || PySys_SetObject(each.name, present.get()) != 0))) {
            PyErr_Clear();
        }
        each.routed = ref();
        each.host = ref();
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
