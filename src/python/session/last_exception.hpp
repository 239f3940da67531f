#pragma once
#include "python/interpreter/python_runtime.hpp"
#include "python/python_api.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/python/session.hpp>

#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// An uncaught exception, described as text when it was raised. It keeps no Python object alive, and reading it runs no code.
struct caught_exception {
    exception_info info = {};
    std::vector<json> frames = {};  ///< `{file, line, function, source_line, locals}`, innermost last, at most the last 50
    std::size_t frames_total = 0;
    bool used_adapters = false;  ///< for the locals
};

/// Describes an exception: message and traceback as Python formats them (this runs `__str__`), frames without running user code.
[[nodiscard]] caught_exception describe_exception(PyObject* exception, const python_runtime& runtime);

/// Describes an exception without running code: the message from its arguments, a traceback of its frames. The exception that it was
/// raised from is left out.
[[nodiscard]] caught_exception describe_structure(PyObject* exception, const python_runtime& runtime);

/// A frame as a reply shows it: without hidden locals, with secrets masked. The rules may have changed since the exception was raised.
[[nodiscard]] json visible_frame(const json& frame);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
