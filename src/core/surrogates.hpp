#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <string>

// JSON can escape one half of a surrogate pair ("\ud83d"), also at the end of a piece of a stream. UTF-8 has no form for it.
// `parse_json` with `lone_surrogates::kept` makes it one of the characters U+10F800 to U+10FFFF, which are for private use.
namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Appends the private character for a code unit from 0xD800 to 0xDFFF.
void append_surrogate(std::string& text, unsigned unit);

/// Joins two halves that follow each other to their character. Halves that stay alone are kept.
[[nodiscard]] std::string join_surrogates(std::string text);

/// Replaces each half by U+FFFD, for texts that are shown or sent elsewhere.
[[nodiscard]] std::string replace_surrogates(std::string text);

/// Writes the halves in a JSON text as escapes again, from `begin` on.
void escape_surrogates(std::string& json_text, std::size_t begin);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
