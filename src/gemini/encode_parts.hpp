#pragma once
#include <pyaichat/message/message.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// What encoding a message depends on besides the message.
struct part_style {
    std::string writer = {};  ///< whose wire forms go back as they are (`wire_writer`)
    bool call_ids = true;
};

/// A function call, as far as its reply has to repeat it.
struct sent_call {
    std::string id = {};
    std::string name = {};
};

/// A model message as parts.
struct model_parts {
    std::string text = {};  ///< the parts as JSON, separated by commas; empty = nothing that can be sent
    std::vector<sent_call> calls = {};
};

[[nodiscard]] model_parts encode_model_parts(const message& one, const part_style& style);

/// Everything of a user message but the replies to calls, as JSON, separated by commas.
[[nodiscard]] std::string encode_user_parts(const message& one, const part_style& style);

/// The part that replies to a call. Its id and name are the call's.
[[nodiscard]] std::string encode_reply(const sent_call& call, const json& response, const part_style& style);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
