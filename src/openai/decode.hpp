#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// What the decoder knows about the request.
struct decode_style {
    std::string writer = {};  ///< the author of the messages (`wire_writer`)
    bool functions = false;   ///< whether the request declared functions
};

/// Decodes an assistant message. `allows_calls` is false after a finish reason that cuts calls: then an empty text is not the same as no
/// arguments.
[[nodiscard]] message decode_message(json wire, const decode_style& style, std::string_view seed, bool allows_calls);

/// Decodes a chat completion. See `decode_response` in the public header; `body` must not be an error.
[[nodiscard]] result<model_response> decode_completion(json body, const decode_style& style);

/// Decodes the member `usage` of either interface.
[[nodiscard]] token_usage decode_usage(const json& usage);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
