#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Normalizes a model name to exactly one prefix: "models/gemini-3.8-flash" or "tunedModels/mine".
[[nodiscard]] std::string model_name(std::string_view model);

/// Percent-encodes a text for a URL.
[[nodiscard]] std::string url_escaped(std::string_view text);

/// Returns the URL path of a model after the API version: "/models/gemini-3.8-flash".
[[nodiscard]] std::string model_path(std::string_view model);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
