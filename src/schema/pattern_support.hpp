#pragma once
#include <pyaichat/schema/reduce.hpp>

#include <cstdint>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether a service with this support accepts the regular expression. `max_count` is the largest accepted number in `{n,m}`.
[[nodiscard]] bool accepts_pattern(pattern_support support, std::uint64_t max_count, std::string_view pattern) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
