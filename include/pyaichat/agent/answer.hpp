#pragma once
#include <pyaichat/message/conversation.hpp>
#include <pyaichat/message/event.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// What a run comes to.
struct answer {
    std::string text = {};  ///< never empty; for a person
    stop_reason reason = stop_reason::misconfigured;
    std::optional<failure> error = {};  ///< what the provider, or the set-up, failed with; its message is for the log
    token_usage usage = {};
    int steps = 0;                   ///< model calls made
    conversation messages = {};      ///< a history that every provider accepts: pass it on to go on talking
    std::vector<event> events = {};  ///< all of them, in order

    [[nodiscard]] bool degraded() const noexcept { return reason != stop_reason::complete; }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
