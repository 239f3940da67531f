#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

struct uri_character_options {
    bool international = false;  ///< also `ucschar` of RFC 3987
    bool private_use = false;    ///< also `iprivate` of RFC 3987
    bool escapes = true;         ///< also `%41`
    bool only_names = false;     ///< of ASCII only letters, digits and escapes
};

/// Returns whether the text has only the `unreserved` and `sub-delims` characters of RFC 3986 and those of `others`.
[[nodiscard]] bool are_uri_characters(std::string_view text, std::string_view others, const uri_character_options& options) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
