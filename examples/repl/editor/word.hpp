#pragma once
#include <cstddef>
#include <string_view>

namespace repl {

/// The end of the next word at or behind `at`. A word consists of letters, digits, underscores and all characters outside ASCII.
[[nodiscard]] std::size_t word_end(std::string_view text, std::size_t at) noexcept;
/// The begin of the word at or before `at`.
[[nodiscard]] std::size_t word_begin(std::string_view text, std::size_t at) noexcept;
/// The begin of the word at or before `at`, where only white space separates words.
[[nodiscard]] std::size_t blank_word_begin(std::string_view text, std::size_t at) noexcept;

/// The line that contains the offset: from behind the line end before it to the next line end.
[[nodiscard]] std::size_t line_begin(std::string_view text, std::size_t at) noexcept;
[[nodiscard]] std::size_t line_end(std::string_view text, std::size_t at) noexcept;
/// The text without the blank lines behind its last line.
[[nodiscard]] std::string_view without_blank_end(std::string_view text) noexcept;

}  // namespace repl
