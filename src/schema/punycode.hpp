#pragma once
#include <pyaichat/config/config.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Encodes code points by RFC 3492, without the prefix `xn--`. Empty if the text is too long for a label.
[[nodiscard]] std::string punycode_of(std::u32string_view text);

/// Decodes RFC 3492. Returns nothing if the text is not valid or longer than a label.
[[nodiscard]] std::optional<std::u32string> from_punycode(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
