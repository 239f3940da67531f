#include "python/interpreter/gil.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

PyThreadState* current_thread_state() noexcept {
    if (Py_IsInitialized() == 0) {
        return nullptr;
    }
#if PY_VERSION_HEX >= 0x030D0000
    return PyThreadState_GetUnchecked();
#elif PY_VERSION_HEX >= 0x030C0000
    return _PyThreadState_UncheckedGet();
#else
    // Here it is the state of whichever thread holds the GIL.
    PyThreadState* holder = _PyThreadState_UncheckedGet();
    if (holder == nullptr || holder == PyGILState_GetThisThreadState()) {
        return holder;
    }
    // A sub-interpreter has another state for the same thread. Only then the holder is read: it may end meanwhile on another thread.
    const bool sub_interpreters = PyInterpreterState_Next(PyInterpreterState_Head()) != nullptr;
    return sub_interpreters && holder->thread_id == PyThread_get_thread_ident() ? holder : nullptr;
#endif
}

gil_hold::gil_hold() {
    before_request();
    before_ = PyGILState_Ensure();
    pending_ = take_exception().release();
}

gil_hold::~gil_hold() {
    if (pending_ == nullptr) {
        PyErr_Clear();
    } else {
#if PY_VERSION_HEX >= 0x030C0000
        PyErr_SetRaisedException(pending_);
#else
        PyErr_Restore(Py_NewRef(reinterpret_cast<PyObject*>(Py_TYPE(pending_))), pending_, PyException_GetTraceback(pending_));
#endif
    }
    PyGILState_Release(before_);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
