#pragma once
#include "python/python_api.hpp"

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The lines of a source that a code object was compiled from.
struct code_lines {
    int first = 0;
    int last = 0;
    bool complete = true;  ///< false: the table was too long to be read to its end
};

/// Reads the table of positions of a code object, and of the functions inside it. Reads at most `max_bytes` of the tables.
[[nodiscard]] code_lines lines_of(PyCodeObject* code, std::size_t max_bytes = 200'000);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
