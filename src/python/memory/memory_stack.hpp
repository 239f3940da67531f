#pragma once
#include "python/memory/bounded_memory.hpp"

#include <pyaichat/core/json.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Stands for a value that changed in every pass while it was read.
inline constexpr const char* changing = "<changing>";

/// How much of the stacks is shown.
struct stack_limits {
    std::size_t threads = 20;
    std::size_t frames = 10;  ///< per thread, the innermost
    std::size_t locals = 8;   ///< per frame
};

/// Reads the threads with their frames: `{"threads": [...], "threads_truncated"}`.
[[nodiscard]] json read_stack(bounded_memory& memory, const memory_map& map, const stack_limits& limits);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
