#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Translates a regular expression of ECMA-262 (with the `u` flag) to PCRE2. Both match the same texts.
///
/// As on the web, a needless backslash before punctuation and literal `{`, `}`, `]` are accepted. Fails with `invalid_argument` for PCRE2
/// syntax that ECMA-262 does not have (`\A`, `(?i)`, recursion, verbs, possessive quantifiers).
[[nodiscard]] result<std::string> pcre_from_ecma(std::string_view pattern);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
