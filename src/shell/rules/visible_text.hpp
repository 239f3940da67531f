#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the text in one line, with escapes such as `\n` and `\u{202e}` in place of characters that a terminal does not show as they are:
/// controls, invisible characters, those that change the writing direction, and bytes that are not UTF-8 (`\xff`).
[[nodiscard]] std::string visible_text(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
