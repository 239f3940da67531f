#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// How a run ended. Every reason but `complete` means a degraded answer, and the text of the answer says so.
enum class stop_reason : unsigned char {
    complete,
    truncated,   ///< the model's text was cut by an output limit
    unanswered,  ///< the model cannot answer the question; its text says why
    blocked,     ///< the service refused the prompt or the response
    max_steps,
    max_calls,
    step_timeout,
    total_timeout,
    invalid_response,  ///< the model's responses stayed unusable
    repeating,         ///< the model repeated a call with the same result
    token_budget,
    cost_budget,
    max_recoveries,  ///< the program ended too often while the run was under way
    provider_failed,
    rate_limited,
    cancelled,
    awaiting_approval,  ///< the run has paused and can be resumed
    misconfigured,      ///< invalid setup: a limit is out of range, two capabilities have the same name, the question is empty
};

/// Returns the name of the enumerator, such as "complete".
[[nodiscard]] std::string_view to_string(stop_reason reason) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI
