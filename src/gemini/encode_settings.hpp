#pragma once
#include <pyaichat/gemini/gemini_options.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Encodes `generationConfig` and `safetySettings` if they are set, each followed by a comma. Fails with `invalid_argument` for options
/// that the service refuses for every model.
[[nodiscard]] result<std::string> encode_settings(const gemini_options& options);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
