#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>

#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// What the decoder knows about the request.
struct decode_style {
    std::string writer = {};  ///< the author of the messages (`wire_writer`)
    bool functions = false;   ///< whether the request declared functions
};

/// Makes the calls of one message. An id that is missing, or that an earlier call of the message has, is replaced by one that depends only
/// on the message. `allows_calls` is false after a finish reason that cuts calls: then an empty text is not the same as no arguments.
class call_maker {
public:
    call_maker(std::string_view seed, bool allows_calls) : seed_(seed), allows_calls_(allows_calls) {}
    /// `function` has the members `name` and `arguments`.
    [[nodiscard]] call_part make(std::string id, const json& function);

private:
    std::string seed_;
    bool allows_calls_;
    std::set<std::string, std::less<>> seen_ = {};
};

/// Marks a candidate as malformed if its text is a call that the server should have parsed.
void mark_text_call(candidate& one, const decode_style& style);

/// Decodes an assistant message.
[[nodiscard]] message decode_message(json wire, const decode_style& style, std::string_view seed, bool allows_calls);

/// Decodes a chat completion. See `decode_response` in the public header; `body` must not be an error.
[[nodiscard]] result<model_response> decode_completion(json body, const decode_style& style);

/// Decodes the member `usage` of either interface.
[[nodiscard]] token_usage decode_usage(const json& usage);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
