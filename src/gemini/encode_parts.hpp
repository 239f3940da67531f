#pragma once
#include <pyaichat/message/message.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Options for encoding a message.
struct part_style {
    std::string writer = {};  ///< messages of this generation are sent back unchanged (`wire_writer`)
    bool call_ids = true;
};

/// The members of a call that its reply repeats.
struct sent_call {
    std::string id = {};
    std::string name = {};
};

/// An encoded model message.
struct model_parts {
    std::string text = {};  ///< the parts as JSON, separated by commas; empty = nothing to send
    std::vector<sent_call> calls = {};
};

[[nodiscard]] model_parts encode_model_parts(const message& message, const part_style& style);

/// Encodes the parts of a user message, except replies, as JSON separated by commas.
[[nodiscard]] std::string encode_user_parts(const message& message, const part_style& style);

/// Encodes the reply to a call, with the id and name of the call.
[[nodiscard]] std::string encode_reply(const sent_call& call, const json& response, const part_style& style);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
