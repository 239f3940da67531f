#pragma once
#include <pyaichat/core/failure.hpp>
#include <pyaichat/core/result.hpp>

#include "object_ref.hpp"

#include <stdexcept>
#include <string>
#include <utility>

namespace bindings {

/// Throws the Python exception `pyaichat._errors.NAME` with the texts of the failure.
[[noreturn]] void raise(const char* name, const ai::failure& why);

/// Returns the value, or throws `ConfigurationError`.
template <class T>
[[nodiscard]] T value_or_raise(ai::result<T> outcome) {
    if (!outcome) {
        raise("ConfigurationError", outcome.error());
    }
    return *std::move(outcome);
}

/// Throws `ConfigurationError` if there is a failure.
inline void raise_if_failed(const ai::result<void>& outcome) {
    if (!outcome) {
        raise("ConfigurationError", outcome.error());
    }
}

/// The type and the text of an exception in one line. Needs the GIL.
[[nodiscard]] std::string line_of(const py::error_already_set& error);

/// Calls a function of Python, with the GIL. Throws its exception as `line_of`: a traceback would show a model where the program is.
template <class F>
auto without_traceback(F call) -> decltype(call()) {
    try {
        return call();
    } catch (const py::error_already_set& error) {
        throw std::runtime_error(line_of(error));
    }
}

/// The same for functions of the package itself. They raise KeyboardInterrupt only if Ctrl-C comes while they run: the main thread raises
/// it again when it is back in Python.
template <class F>
void keeping_interrupts(F call) {
    std::string line;
    bool interrupted = false;
    try {
        call();
        return;
    } catch (const py::error_already_set& error) {
        line = line_of(error);
        interrupted = error.matches(PyExc_KeyboardInterrupt);
    }
    if (interrupted) {
        PyErr_SetInterrupt();  // when the frames of the traceback are gone: Python code that runs after it, such as a weakref's, would get
                               // it
    }
    throw std::runtime_error(line);
}

/// A failure as a dict, or None.
[[nodiscard]] py::object failure_to_python(const ai::failure& why);

}  // namespace bindings
