#pragma once
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <string_view>

namespace pyaichat::inline v0::gemini_codec {

/// The body of `generateContent` for a request (wire document sections 2 to 5, 10). Model messages that came from Gemini go back as they came.
[[nodiscard]] json encode_request(const model_request& request);

/// A `Content` as a message that keeps the wire form.
[[nodiscard]] message decode_content(const json& content);

/// The body of a 200 response. Fails with `bad_response` when it is no response at all; odd candidates are reported, not failed.
[[nodiscard]] result<model_response> decode_response(const json& body);

/// The failure for a response with another status: `google.rpc.Status`, also array-wrapped or nested, HTML or empty.
[[nodiscard]] failure decode_error(int status, std::string_view body);

}  // namespace pyaichat::inline v0::gemini_codec
