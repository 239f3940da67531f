#include "python/python_api.hpp"

#include "python/interrupt.hpp"

#include <pthread.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>

namespace pyaichat::inline v0::python::detail {

namespace {

/// `signal.signal(SIGINT, handler)`, with the process's own disposition put back afterwards: only Python's table keeps the change.
bool set_python_handler(const char* handler_name) {
    struct sigaction before = {};
    sigaction(SIGINT, nullptr, &before);
    const ref signal_module = ref::steal(PyImport_ImportModule("_signal"));
    ref done;
    if (signal_module) {
        if (const ref handler = ref::steal(PyObject_GetAttrString(signal_module.get(), handler_name))) {
            done = ref::steal(PyObject_CallMethod(signal_module.get(), "signal", "iO", SIGINT, handler.get()));
        }
    }
    sigaction(SIGINT, &before, nullptr);
    return static_cast<bool>(done);
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
    if (!set_python_handler("default_int_handler")) {
        return false;
    }
    if (PyErr_CheckSignals() != 0) {
        // A SIGINT of the host's arrived in the few microseconds in which Python's handler was in its place: hand it back.
        PyErr_Clear();
        kill(getpid(), SIGINT);
    }
    return true;
}

void interrupter::detach() {
    disarm();
    if (!set_python_handler("SIG_IGN")) {
        PyErr_Clear();
    }
}

void interrupter::arm() {
    if (PyErr_CheckSignals() != 0) {
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
        // On Python's thread this is all it takes. Without a handler a real signal would end the process: then the mark alone has to do,
        // and stops loops (before 3.13 only once another thread has asked for the GIL), but no sleep.
        PyErr_SetInterruptEx(SIGINT);
    }
    errno = saved_errno;
}

}  // namespace pyaichat::inline v0::python::detail
