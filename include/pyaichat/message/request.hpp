#pragma once
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/conversation.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// Whether the model may, must or must not call a function.
enum class tool_mode : unsigned char {
    automatic,  ///< as the provider's own options say, otherwise the model chooses
    required,   ///< it has to call, until it has called
    none,       ///< it must not
    validated,  ///< it chooses, and the service holds its calls to the declared schemas, where it can
};

[[nodiscard]] std::string_view to_string(tool_mode value) noexcept;

/// Everything that a provider needs for one attempt at one model call. It owns or shares what it holds, and is cheap to copy.
struct model_request {
    std::string instructions = {};  ///< the system instruction; empty = none
    conversation messages = {};     ///< ends with a user message
    pyaichat::capability_list declarations = {};
    tool_mode mode = tool_mode::automatic;
    /// The time left when the attempt was issued; after it the loop gives up, whatever the provider does.
    duration time_left = duration::max();
};

}  // namespace pyaichat::inline PYAICHAT_ABI
