#pragma once
#include "python/python_api.hpp"

#include <pyaichat/python/detail/python_end.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The thread state of the calling thread if it holds the GIL, in any interpreter of the process; else null. May be called at any time.
[[nodiscard]] PyThreadState* current_thread_state() noexcept;

/// Releases the GIL during its own lifetime if the calling thread holds it. Everything that waits for Python's thread, or calls a function
/// of the host that may wait, does so in such a scope: otherwise no other thread of the host could run Python meanwhile.
class gil_pause {
public:
    gil_pause() {
        if (current_thread_state() != nullptr) {
            before_release();
            state_ = PyEval_SaveThread();
        }
    }
    ~gil_pause() {
        if (state_ != nullptr) {
            before_request();
            PyEval_RestoreThread(state_);
            after_return();
        }
    }
    gil_pause(const gil_pause&) = delete;
    gil_pause& operator=(const gil_pause&) = delete;

private:
    PyThreadState* state_ = nullptr;
};

/// Holds the GIL of the main interpreter during its own lifetime, on any thread and also if the thread holds it already. An exception that
/// was set before is set again afterwards.
class gil_hold {
public:
    gil_hold();
    ~gil_hold();
    gil_hold(const gil_hold&) = delete;
    gil_hold& operator=(const gil_hold&) = delete;

private:
    PyGILState_STATE before_ = PyGILState_UNLOCKED;
    PyObject* pending_ = nullptr;  ///< a plain pointer: unwinding a thread that Python ends must not touch objects
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
