#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/openai/openai_options.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Encodes the members that are the same in every request, each followed by a comma. Fails with `invalid_argument` for options that no
/// service takes.
[[nodiscard]] result<std::string> encode_settings(const openai_options& options);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
