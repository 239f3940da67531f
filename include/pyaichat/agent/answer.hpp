#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/conversation.hpp>
#include <pyaichat/message/event.hpp>
#include <pyaichat/message/stop_reason.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The outcome of a run.
struct answer {
    std::string text = {};  ///< never empty; for a person
    stop_reason reason = stop_reason::misconfigured;
    std::optional<failure> error = {};  ///< the failure of the provider or the setup; its message is for the log
    token_usage usage = {};
    std::optional<money> cost = {};  ///< of all responses; empty = one of them had no cost, or there was none
    int steps = 0;                   ///< model calls made
    conversation messages = {};      ///< valid for every provider; the `run_request::history` of the next question
    std::vector<event> events = {};  ///< all since the run was asked, restored or recovered, in order
    /// The answer to a question with a schema, which it satisfies; `text` is its JSON. Empty for other questions, and unless the reason is
    /// `complete`.
    std::optional<json> value = {};

    /// Returns whether the run ended early; `text` then says why.
    [[nodiscard]] bool degraded() const noexcept { return reason != stop_reason::complete; }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
