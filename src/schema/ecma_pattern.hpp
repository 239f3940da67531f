#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A regular expression of ECMA-262 (with the `u` flag, as JSON Schema has it) in the words of PCRE2, meaning the same when it is searched
/// for.
///
/// Kept from the web's practice: a needless backslash before punctuation, and `{`, `}`, `]` where they can only be literal. Whatever PCRE2
/// has beyond ECMA-262 (`\A`, `(?i)`, recursion, verbs, possessive quantifiers) is refused with `invalid_argument`: elsewhere it would mean
/// something else.
[[nodiscard]] result<std::string> pcre_from_ecma(std::string_view pattern);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
