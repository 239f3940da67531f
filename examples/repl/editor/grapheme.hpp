#pragma once
#include <cstddef>
#include <string_view>

namespace repl {

/// One character of UTF-8 text.
struct utf8_character {
    char32_t code = 0xFFFD;
    std::size_t size = 1;  ///< in bytes
};

/// Returns the character at an offset inside the text. Bytes that are not UTF-8 are characters U+FFFD of one byte.
[[nodiscard]] utf8_character character_at(std::string_view text, std::size_t at) noexcept;

/// A character as a person sees it, with its combining marks: what one press of Left or Backspace passes.
struct grapheme {
    std::size_t size = 0;   ///< in bytes
    int width = 0;          ///< in columns
    bool doubtful = false;  ///< terminals disagree about its width: a joined emoji, a flag, a variation selector
};

/// Returns the grapheme at an offset inside the text. A line end is a grapheme.
[[nodiscard]] grapheme grapheme_at(std::string_view text, std::size_t at) noexcept;

/// The offsets behind the grapheme at `at` and before the grapheme that ends at `at`.
[[nodiscard]] std::size_t next_grapheme(std::string_view text, std::size_t at) noexcept;
[[nodiscard]] std::size_t previous_grapheme(std::string_view text, std::size_t at) noexcept;

/// The columns of a text without control characters.
[[nodiscard]] int text_width(std::string_view text) noexcept;

}  // namespace repl
