#pragma once
#include <pyaichat/config/config.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Encodes bytes as base64 (RFC 4648, standard alphabet, padded).
[[nodiscard]] std::string encode_base64(std::string_view bytes);

/// Decodes what `encode_base64` returned. Returns nothing for any other text.
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
