#pragma once
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/openai/openai_options.hpp>

#include <string>

/// Encodes requests to Chat Completions or to the Responses API and decodes their responses, without I/O. All functions are pure and
/// thread-safe.
namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Returns the base URL and the model that the options mean: an empty option is the profile's.
[[nodiscard]] std::string base_url(const openai_options& options);
[[nodiscard]] std::string model_name(const openai_options& options);

/// Returns whether requests use the Responses API.
[[nodiscard]] bool uses_responses(const openai_options& options);

/// Returns the author for `wire_form::provider`: the base URL, the interface and the family of the model, such as "gpt-5". Only its own
/// messages are sent back unchanged, because reasoning and signatures are valid only for the family that wrote them.
[[nodiscard]] std::string wire_writer(const openai_options& options);

/// Encodes the body of a request (wire document, sections 2 to 4, 9.8, 13). The same request always gives the same bytes. Messages of the
/// same author are sent back unchanged. A call without a reply gets a `cancelled` reply. Replies without a call, empty messages and
/// trailing model messages are dropped. Fails with `invalid_argument` if nothing is left to send or an option is not valid.
[[nodiscard]] result<std::string> encode_request(const model_request& request, const openai_options& options = {});

/// Decodes an assistant message, or the list `output` of the Responses API, into a message that also keeps the original (`message::wire`).
/// A call without an id, or with the id of an earlier call of the message, gets one that depends only on the message.
[[nodiscard]] message decode_message(json wire, const openai_options& options = {});

/// Decodes the body of a 200 response. Fails with `bad_response` if the body is not a completion, with `too_large` for more than 2,000
/// calls or 100,000 values, and like an error response if the body is an error. `functions` says whether the request declared any: then a
/// text that is a call makes its candidate malformed. Unusable candidates are marked in `candidate::finish`.
[[nodiscard]] result<model_response> decode_response(json body, const openai_options& options = {}, bool functions = false);

/// Converts a response with an error status to a failure. Returns a response for a blocked prompt and for a malformed call.
[[nodiscard]] result<model_response> decode_error(const http_response& response, const openai_options& options = {});

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
