#pragma once
#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <string>
#include <string_view>

/// Encodes requests to Gemini and decodes its responses, without I/O. All functions are pure and thread-safe.
namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Returns the model generation for `wire_form::provider`: "gemini-3", or "gemini" if the name does not show it. Thought signatures are
/// valid only for the generation that wrote them; messages of another generation are encoded from their parts.
[[nodiscard]] std::string wire_writer(std::string_view model);

/// Encodes the body of `generateContent` and `streamGenerateContent` (wire document, sections 2 to 7, 9, 10). The same request always
/// gives the same bytes. Model messages from Gemini are sent back unchanged, except that a first call without a thought signature gets a
/// placeholder if the model demands one. A call without a reply gets a `cancelled` reply. Replies without a call, empty contents and
/// trailing model contents are dropped. Fails with `invalid_argument` if nothing is left to send, the service would refuse an option, or
/// `gemini_options::parameters` cannot express a schema.
[[nodiscard]] result<std::string> encode_request(const model_request& request, const gemini_options& options = {});

/// Decodes a `Content` object into a message that also keeps the original (`message::wire`). `writer` is the `wire_writer` of the model.
[[nodiscard]] message decode_content(json content, std::string writer = "gemini");

/// Decodes the body of a 200 response. `writer` is the `wire_writer` of the model that responded; it is stored in the messages. Fails with
/// `bad_response` if the body is not a `GenerateContentResponse`, with `too_large` for more than 2,000 parts or 100,000 values, and like
/// `decode_error` if the body is an error. Unusable candidates are marked in `candidate::finish`.
[[nodiscard]] result<model_response> decode_response(json body, const std::string& writer = "gemini");

/// Converts a response with an error status to a failure. Accepts `google.rpc.Status` (also nested or in an array), HTML and empty bodies.
[[nodiscard]] failure decode_error(int status, std::string_view body);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
