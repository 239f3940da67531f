#pragma once
#include <pyaichat/gemini/gemini_options.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// `generationConfig` and `safetySettings`, as far as they are set, each with a comma behind it. Fails with `invalid_argument` for what the
/// service would refuse whatever the model.
[[nodiscard]] result<std::string> encode_settings(const gemini_options& options);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
