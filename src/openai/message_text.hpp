#pragma once
#include "message/call_replies.hpp"
#include "openai/call_ids.hpp"

#include <pyaichat/message/message.hpp>
#include <pyaichat/openai/openai_profile.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Options for encoding a message.
struct message_style {
    std::string writer = {};  ///< messages of this author are sent back unchanged (`wire_writer`)
    openai_profile profile = {};
};

/// An assistant message as JSON, and its calls.
struct model_text {
    std::string text = {};                      ///< empty = nothing to send
    std::vector<detail::sent_call> calls = {};  ///< as the history knows them
    std::vector<std::string> ids = {};          ///< as they are sent
};

/// Encodes a model message: unchanged if its author is `style.writer` (wire document, section 9.8), else from its parts.
[[nodiscard]] model_text encode_model(const message& one, const message_style& style, call_ids& ids);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
