#pragma once
#include <pyaichat/core/failure.hpp>

#include <cstddef>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

// The loop visits each part and value on the pumping thread, which a body of many megabytes could block for seconds.
inline constexpr std::size_t most_response_parts = 2'000;
inline constexpr std::size_t most_response_values = 100'000;

/// Makes the failure for a response beyond these limits.
[[nodiscard]] inline failure too_many_parts() {
    return {.code = errc::too_large,
            .message = "the response has more than " + std::to_string(most_response_parts) + " parts, or more than " +
                       std::to_string(most_response_values) + " JSON values in them",
            .hint = "The service's response was too large."};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
