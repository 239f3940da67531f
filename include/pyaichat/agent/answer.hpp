#pragma once
#include <pyaichat/message/conversation.hpp>
#include <pyaichat/message/event.hpp>
#include <pyaichat/message/stop_reason.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

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
