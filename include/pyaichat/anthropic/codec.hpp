#pragma once
#include <pyaichat/anthropic/anthropic_options.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Encodes requests to the Messages API and decodes its responses, without I/O. All functions are pure and thread-safe.
namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Returns the author for `wire_form::provider`: the service and the model. Only its own messages are sent back unchanged, because thinking
/// blocks are valid only for the model that wrote them.
[[nodiscard]] std::string wire_writer(const anthropic_options& options);

/// Encodes the body of a request (wire document, sections 2 to 4, 6, 10). The same request always gives the same bytes. Messages of the
/// same author are sent back unchanged, except texts without words, which the service refuses. A call without a reply gets a `cancelled`
/// reply. Replies without a call, empty messages and trailing model messages are dropped. Fails with `invalid_argument` if nothing is left
/// to send or an option is not valid.
[[nodiscard]] result<std::string> encode_request(const model_request& request, const anthropic_options& options = {});

/// Returns the fingerprint of all that precedes the response to a request: instructions, declarations and messages as they are sent.
/// Thinking blocks are bound to it (section 6.2). Fails like `encode_request`.
[[nodiscard]] result<std::uint64_t> prefix_of(const model_request& request, const anthropic_options& options = {});

/// Who wrote a response, and after what.
struct origin {
    std::string writer = {};                   ///< `wire_writer`
    std::optional<std::uint64_t> prefix = {};  ///< `prefix_of` the request; not set = unknown, thinking blocks are sent back on trust
};

/// Decodes the `content` of a response into a message that also keeps the original (`message::wire`). A call without an id, or with the id
/// of an earlier call of the message, gets one that depends only on the message and its origin.
[[nodiscard]] message decode_content(json content, const origin& from = {});

/// Decodes the body of a 200 response. Fails with `bad_response` if the body is not a message, with `too_large` for more than 2,000 blocks
/// or 100,000 values, and like `decode_error` if the body is an error. An unusable response is marked in `candidate::finish`.
[[nodiscard]] result<model_response> decode_response(json body, const origin& from = {});

/// Converts a response with an error status to a failure. Accepts the error documents of compatible servers, HTML and empty bodies.
[[nodiscard]] failure decode_error(int status, std::string_view body);

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
