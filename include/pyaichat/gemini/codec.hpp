#pragma once
#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <string>
#include <string_view>

/// What goes over the wire, without a wire: pure functions, any thread.
namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Who writes the wire forms of a model (`wire_form::provider`): "gemini-3" for all of the third generation, "gemini" when the name does
/// not tell. Thought signatures are good for the generation that wrote them; what another one wrote is told anew.
[[nodiscard]] std::string wire_writer(std::string_view model);

/// The body of `generateContent` and `streamGenerateContent` (wire document sections 2 to 7, 9, 10), deterministic: the same request has
/// the same bytes. Model messages that came from Gemini go back as they came; a call without a reply gets one that says so; replies to
/// nothing, empty contents and model contents at the end are left out. Fails with `invalid_argument`: nothing is left to send, an option
/// that the service would refuse, a schema that the chosen form of parameters cannot express.
[[nodiscard]] result<std::string> encode_request(const model_request& request, const gemini_options& options = {});

/// A `Content` as a message that keeps the wire form.
[[nodiscard]] message decode_content(json content, std::string writer = "gemini");

/// The body of a 200 response. Fails with `bad_response` when it is no response at all; odd candidates are reported, not failed.
[[nodiscard]] result<model_response> decode_response(json body, const std::string& writer = "gemini");

/// The failure for a response with another status: `google.rpc.Status`, also array-wrapped or nested, HTML or empty.
[[nodiscard]] failure decode_error(int status, std::string_view body);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
