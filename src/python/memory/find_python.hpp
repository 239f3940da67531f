#pragma once
#include "python/memory/memory_layout.hpp"

#include <pyaichat/core/result.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Python in another process.
struct found_python {
    python_addresses addresses = {};
    address version = 0;  ///< of the variable `Py_Version`; 0 if it was not found
    std::string program = {};
};

/// Finds the objects of Python by the symbols of the program and of libpython. Fails with `not_found` or `not_allowed`, with a hint.
[[nodiscard]] result<found_python> find_python(long process);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
