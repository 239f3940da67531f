#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Translates the name in `\p{...}` from ECMA-262 to PCRE2: `Letter` and `gc=L` to `L`, `Script=Greek` to `sc:Greek`. Returns an empty
/// string for invalid syntax. Other names are unchanged; PCRE2 refuses unknown ones.
[[nodiscard]] std::string pcre_property(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
