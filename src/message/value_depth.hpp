#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The maximum nesting depth of arguments and replies. Less than `max_json_depth`, because requests, snapshots and journals contain them.
inline constexpr std::size_t max_value_depth = max_json_depth - 28;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
