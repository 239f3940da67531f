#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What ECMA-262 writes in `\p{...}` as PCRE2 wants it there (`Letter` and `gc=L` as `L`, `Script=Greek` as `sc:Greek`); empty when it
/// cannot be a property. Names that are the same in both are passed on, and PCRE2 refuses those that it does not know.
[[nodiscard]] std::string pcre_property(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
