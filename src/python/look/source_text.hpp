#pragma once
#include "python/python_api.hpp"

#include <cstddef>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The source of a function, a class or a module.
struct source_text {
    std::string source = {};
    std::string file = {};
    std::size_t line = 0;    ///< of the first line of `source`
    bool truncated = false;  ///< there is more, or may be more
    std::string why = {};    ///< if there is no source: the reason
};

/// Finds the source of an object from its code objects, and reads at most `max_chars` code points of it. Runs no user code.
[[nodiscard]] source_text find_source(PyObject* object, std::size_t max_chars);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
