#pragma once
#include "python/python_api.hpp"
#include "python/python_runtime.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/python/session.hpp>

#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// An exception that nothing caught, as text: what it was when it happened. No object of Python's is kept alive by it, and looking at it
/// later runs no code.
struct caught_exception {
    exception_info info = {};
    std::vector<json> frames = {};  ///< `{file, line, function, source_line, locals}`, innermost last, at most the last 50
    std::size_t frames_total = 0;
};

/// Describes an exception: its text and traceback as Python writes them (its `__str__` runs), its frames by structure.
[[nodiscard]] caught_exception describe_exception(PyObject* exception, const python_runtime& runtime);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
