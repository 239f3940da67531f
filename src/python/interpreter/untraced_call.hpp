#pragma once
#include "python/python_api.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Suspends the trace and profile functions of this thread during its own lifetime: debuggers and profilers of the person's code must not
/// see the code of the SDK. With the GIL held.
class tracing_pause {
public:
    tracing_pause() : state_(PyThreadState_Get()) { PyThreadState_EnterTracing(state_); }
    ~tracing_pause() { PyThreadState_LeaveTracing(state_); }
    tracing_pause(const tracing_pause&) = delete;
    tracing_pause& operator=(const tracing_pause&) = delete;

private:
    PyThreadState* state_;
};

/// Adds two functions to the module of the bootstrap code. Returns false with a Python error set if it fails.
///
/// - `untraced(function)` returns a function that calls `function` without tracing.
/// - `display_with(function)` returns a display hook: for a value other than None it calls `function(value, repr(value))`. Only the `repr`
///   is traced, because it is code of the person.
[[nodiscard]] bool add_untraced_functions(PyObject* module);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
