#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// How a run ended. Everything but `complete` is degraded: said in the text, never passed off as success.
enum class stop_reason : unsigned char {
    complete,
    truncated,  ///< the model's text was cut
    blocked,    ///< refused for safety
    max_steps,
    max_calls,
    step_timeout,
    total_timeout,
    invalid_response,  ///< the model's responses stayed unusable
    repeating,         ///< the model made one call over and over
    token_budget,
    provider_failed,
    rate_limited,
    cancelled,
    awaiting_approval,  ///< not an end: the run can be continued
    misconfigured,      ///< the set-up cannot be used: a limit out of range, two capabilities of one name, no question
};

[[nodiscard]] std::string_view to_string(stop_reason reason) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI
