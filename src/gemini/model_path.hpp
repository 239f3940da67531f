#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// "models/gemini-3.8-flash" or "tunedModels/mine": exactly one prefix, whatever the user wrote.
[[nodiscard]] std::string model_name(std::string_view model);

/// A text as a part of a URL: everything unusual is escaped.
[[nodiscard]] std::string url_escaped(std::string_view text);

/// "/models/gemini-3.8-flash": the model's path, behind the version.
[[nodiscard]] std::string model_path(std::string_view model);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
