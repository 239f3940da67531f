#pragma once
#include "python/python_api.hpp"

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// `generator count, suspended at /src/a.py:12`, for an exact generator, coroutine or asynchronous generator; empty for other objects. The
/// attributes that Python has for this (`gi_frame`, `gi_code`) call audit hooks, so the state is read from the object.
[[nodiscard]] std::string generator_state(PyObject* object);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
