#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// How deep arguments and replies may nest. Less than a whole document may: they are sent inside of requests, and kept inside of snapshots
/// and journals.
inline constexpr std::size_t max_value_depth = max_json_depth - 28;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
