#pragma once
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/message/conversation.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline v0 {

/// Whether the model may, must or must not call a function.
enum class tool_mode : unsigned char { automatic, required, none };

/// Everything that a provider needs for one attempt at one model call. It owns what it holds.
struct model_request {
    std::string instructions = {};  ///< the system instruction; empty = none
    conversation messages = {};     ///< ends with a user message
    std::vector<capability_spec> declarations = {};
    tool_mode mode = tool_mode::automatic;
    duration time_left =
        duration::max();  ///< the time left when the attempt was issued; after it the loop gives up, whatever the provider does
};

}  // namespace pyaichat::inline v0
