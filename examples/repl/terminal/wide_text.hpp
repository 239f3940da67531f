#pragma once
#include <string>
#include <string_view>

namespace repl {

/// Between UTF-8 and the wide characters of libedit (which are Unicode code points here). What cannot be converted becomes U+FFFD.
[[nodiscard]] std::wstring to_wide(std::string_view text);
[[nodiscard]] std::string to_utf8(std::wstring_view text);

}  // namespace repl
