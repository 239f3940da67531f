#pragma once
#include "python/memory/memory_source.hpp"

#include <pyaichat/core/result.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Reads the layout of another process's Python from the table of offsets that CPython 3.13 has at the beginning of its runtime. Members
/// that the table omits have the offsets of version 3.13, relative to those in the table where that is possible.
///
/// Fails with `not_allowed` if there is no table (an older version), if the version is not 3.13, or for a free-threaded build; the hint
/// says what to do. `version` is that of the process as in `PY_VERSION_HEX`, 0 if not known.
[[nodiscard]] result<memory_layout> read_debug_offsets(memory_source& memory, address runtime, std::uint32_t version);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
