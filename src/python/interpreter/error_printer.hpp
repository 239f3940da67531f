#pragma once
#include "python/python_api.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Adds `print_error(file, error)` to the module of the bootstrap code if only the C code of this Python knows the suggestions of an error
/// ("Did you mean"), as in Python 3.11. In later ones the module `traceback` knows them. Returns false with a Python error set if it fails.
[[nodiscard]] bool add_error_printer(PyObject* module);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
