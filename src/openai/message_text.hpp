#pragma once
#include "message/call_replies.hpp"
#include "openai/call_ids.hpp"

#include <pyaichat/message/message.hpp>
#include <pyaichat/openai/openai_profile.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// An assistant message as JSON, or the output items of a response, separated by commas; and its calls.
struct model_text {
    std::string text = {};                      ///< empty = nothing to send
    std::vector<detail::sent_call> calls = {};  ///< as the history knows them
    std::vector<std::string> ids = {};          ///< as they are sent
};

/// Options for encoding a message.
struct message_style {
    std::string writer = {};  ///< messages of this author are sent back unchanged (`wire_writer`)
    openai_profile profile = {};
    bool responses = false;  ///< for the Responses API
};

/// Encodes a model message: unchanged if its author is `style.writer` (wire document, sections 9.8 and 10), else from its parts.
[[nodiscard]] model_text encode_model(const message& one, const message_style& style, call_ids& ids);

/// Encodes a text as a part of a user message.
[[nodiscard]] std::string text_piece(std::string_view text, const message_style& style);

/// Encodes an image as a part of a user message or of an output.
[[nodiscard]] std::string image_piece(const image& picture, const message_style& style);

/// Encodes the reply to a call. `content` is a JSON string, or a list for the Responses API.
[[nodiscard]] std::string encode_reply(std::string_view id, std::string_view content, const message_style& style);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
