#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Whether the bytes are UTF-8 as Unicode defines it (no surrogates, nothing overlong, nothing above U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// The same text with every invalid sequence replaced by U+FFFD.
[[nodiscard]] std::string repair_utf8(std::string_view text);

/// The longest prefix of at most `bytes` bytes that does not cut a UTF-8 sequence.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t bytes) noexcept;

/// The longest suffix of at most `bytes` bytes that does not cut a UTF-8 sequence.
[[nodiscard]] std::string_view utf8_suffix(std::string_view text, std::size_t bytes) noexcept;

/// One line of at most `bytes` bytes: white space folded, control characters left out, "..." at the end when something was cut.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes);

/// The text in one row of at most `bytes` bytes, otherwise as it is: a control character or line end becomes a blank, "..." at the end when
/// something was cut.
[[nodiscard]] std::string one_row(std::string_view text, std::size_t bytes);

/// "1 item", "3 items".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);

/// Whether the byte is an ASCII digit, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char byte) noexcept {
    return byte >= '0' && byte <= '9';
}

/// White space of ASCII.
[[nodiscard]] bool is_space(char byte) noexcept;

/// Whether there is nothing to read: empty or white space only.
[[nodiscard]] bool is_blank(std::string_view text) noexcept;

/// Without white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// With small letters for the capitals of ASCII; other bytes stay, whatever the locale.
[[nodiscard]] std::string ascii_lower(std::string_view text);

/// Whether they are equal but for capitals of ASCII.
[[nodiscard]] bool equal_but_for_case(std::string_view a, std::string_view b) noexcept;

/// The candidate nearest to `name` by edit distance, or empty when none is near enough to be a likely slip.
[[nodiscard]] std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
