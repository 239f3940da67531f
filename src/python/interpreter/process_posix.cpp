#include "python/python_api.hpp"

#include "python/interpreter/process.hpp"

#include <pthread.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Replaces `_signal.signal`: Python's table gets the handler, but the process keeps the host's SIGINT disposition. Otherwise code that
/// uses `signal` or `asyncio` would take Ctrl-C away from the host.
PyObject* signal_without_sigint(PyObject* original, PyObject* arguments) {
    struct sigaction before = {};
    sigaction(SIGINT, nullptr, &before);
    PyObject* previous = PyObject_CallObject(original, arguments);
    sigaction(SIGINT, &before, nullptr);
    return previous;
}

PyMethodDef signal_definition = {"signal", &signal_without_sigint, METH_VARARGS, nullptr};

bool guard_signal_module() {
    const ref module = ref::steal(PyImport_ImportModule("_signal"));
    const ref original = module ? ref::steal(PyObject_GetAttrString(module.get(), "signal")) : ref();
    const ref wrapper = original ? ref::steal(PyCFunction_New(&signal_definition, original.get())) : ref();
    return wrapper && PyObject_SetAttrString(module.get(), "signal", wrapper.get()) == 0;
}

bool set_python_handler(const char* handler_name) {
    const ref module = ref::steal(PyImport_ImportModule("_signal"));
    const ref handler = module ? ref::steal(PyObject_GetAttrString(module.get(), handler_name)) : ref();
    return handler && ref::steal(PyObject_CallMethod(module.get(), "signal", "iO", SIGINT, handler.get()));
}

/// Whether Python's table has a function for SIGINT, neither "default" nor "ignore".
bool python_handles_sigint() {
    const ref module = ref::steal(PyImport_ImportModule("_signal"));
    const ref handler = module ? ref::steal(PyObject_CallMethod(module.get(), "getsignal", "i", SIGINT)) : ref();
    return handler && PyCallable_Check(handler.get()) != 0 && PyLong_Check(handler.get()) == 0;
}

bool host_handles_sigint() noexcept {
    struct sigaction now = {};
    if (sigaction(SIGINT, nullptr, &now) != 0) {
        return false;
    }
    return (now.sa_flags & SA_SIGINFO) != 0 || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN);
}

}  // namespace

bool interrupter::attach() {
    python_thread_ = pthread_self();
    if (!guard_signal_module() || !set_python_handler("default_int_handler")) {
        return false;
    }
    if (PyErr_CheckSignals() != 0) {
        // A SIGINT for the host arrived in the few microseconds in which Python's handler was installed: send it again.
        PyErr_Clear();
        kill(getpid(), SIGINT);
    }
    return true;
}

void interrupter::detach() {
    disarm();
    // An interrupt that is still marked, because the interpreter ended while it ran something, would be raised by the call that sets the
    // handler, and Python would then reset the process's disposition.
    constexpr int most_marks = 3;
    for (int i = 0; i < most_marks; ++i) {
        if (PyErr_CheckSignals() != 0) {
            PyErr_Clear();
        }
        if (set_python_handler("SIG_IGN")) {
            return;
        }
        PyErr_Clear();
    }
}

void interrupter::arm() {
    if (PyErr_CheckSignals() != 0) {
        PyErr_Clear();
    }
    // Earlier code may have set SIGINT to "default" or "ignore". That does not hold for the next statement.
    if (!python_handles_sigint() && !set_python_handler("default_int_handler")) {
        PyErr_Clear();
    }
    armed_.store(true);
}

void interrupter::interrupt() const noexcept {
    if (!armed_.load()) {
        return;
    }
    const int saved_errno = errno;
    if (pthread_equal(pthread_self(), python_thread_) == 0 && host_handles_sigint()) {
        pthread_kill(python_thread_, SIGINT);
    } else {
        // On Python's thread this is enough. Without a host handler a real signal would end the process, so only this mark is set: it stops
        // loops (before 3.13 only after another thread has requested the GIL), but does not wake a sleep.
        PyErr_SetInterruptEx(SIGINT);
    }
    errno = saved_errno;
}

long process_id() noexcept {
    return getpid();
}

void leave_process(int status) noexcept {
    _exit(status);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
