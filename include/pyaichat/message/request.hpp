#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/conversation.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// Whether the model may, must or must not call a function.
enum class tool_mode : unsigned char {
    automatic,  ///< the provider's options decide; by default the model chooses
    required,   ///< it must call a function before it answers
    none,       ///< it must not call
    validated,  ///< the model chooses; the service enforces the declared schemas if it can
};

/// Returns the name of the enumerator, such as "automatic".
[[nodiscard]] std::string_view to_string(tool_mode value) noexcept;

/// The input of one attempt. Cheap to copy; a copy is independent of the run.
struct model_request {
    std::string instructions = {};  ///< the system instruction; empty = none
    conversation messages = {};     ///< ends with a user message
    pyaichat::capability_list declarations = {};
    tool_mode mode = tool_mode::automatic;
    /// The JSON Schema that the text of the answer must satisfy; null = any text. Only a provider that takes it gets one: see
    /// `takes_answer_schema`. The loop validates the answer in any case.
    std::shared_ptr<const json> answer_schema = {};
    /// The name of the declared function by whose call the model gives the answer; empty = the answer is a text. A provider may ignore it.
    std::string answer_function = {};
    duration time_left = duration::max();  ///< from the start of the attempt to its deadline, which the loop enforces
};

}  // namespace pyaichat::inline PYAICHAT_ABI
