#pragma once
#include <string>
#include <string_view>

namespace repl {

/// Converts between UTF-8 and libedit's wide characters (Unicode code points). Invalid input becomes U+FFFD.
[[nodiscard]] std::wstring to_wide(std::string_view text);
[[nodiscard]] std::string to_utf8(std::wstring_view text);

}  // namespace repl
