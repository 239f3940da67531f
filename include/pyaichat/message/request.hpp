#pragma once
#include <pyaichat/message/conversation.hpp>
#include <pyaichat/message/declarations.hpp>

#include <string>

namespace pyaichat::inline v0 {

/// Whether the model may, must or must not call a function.
enum class tool_mode : unsigned char { automatic, required, none };

/// Everything that a provider needs for one attempt at one model call. It owns or shares what
/// it holds, and is cheap to copy.
struct model_request {
    std::string instructions = {};  ///< the system instruction; empty = none
    conversation messages = {};     ///< ends with a user message
    pyaichat::declarations declarations = {};
    tool_mode mode = tool_mode::automatic;
    duration time_left =
        duration::max();  ///< the time left when the attempt was issued; after it the loop gives up, whatever the provider does
};

}  // namespace pyaichat::inline v0
