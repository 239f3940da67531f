#pragma once
#include "openai/decode.hpp"

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Decodes the `output` of a response into a message, which keeps the items as they are. `allows_calls` as for `decode_message`.
[[nodiscard]] message decode_output(json output, const decode_style& style, std::string_view seed, bool allows_calls);

/// Decodes a response of the Responses API, which must not be an error. Fails with `bad_response` if it has no `output`, and with
/// `too_large`.
[[nodiscard]] result<model_response> decode_responses(json body, const decode_style& style);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
