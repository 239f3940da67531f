#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether the bytes are valid UTF-8 (no surrogates, no overlong forms, nothing above U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view text) noexcept;

/// Replaces every invalid sequence by U+FFFD.
[[nodiscard]] std::string repair_utf8(std::string_view text);

/// Returns the longest prefix of at most `bytes` bytes that does not split a UTF-8 sequence.
[[nodiscard]] std::string_view utf8_prefix(std::string_view text, std::size_t bytes) noexcept;

/// Returns the longest suffix of at most `bytes` bytes that does not split a UTF-8 sequence.
[[nodiscard]] std::string_view utf8_suffix(std::string_view text, std::size_t bytes) noexcept;

/// Folds white space and removes control characters. Cuts the result to `bytes` bytes, with "..." at the end.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t bytes);

/// Replaces each control character and line end by a blank. Cuts the result to `bytes` bytes, with "..." at the end.
[[nodiscard]] std::string one_row(std::string_view text, std::size_t bytes);

/// Formats a count with its noun: "1 item", "3 items".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view noun);

/// Returns whether the byte is an ASCII digit, in any locale.
[[nodiscard]] constexpr bool is_digit(char byte) noexcept {
    return byte >= '0' && byte <= '9';
}

/// Returns whether the byte is an ASCII letter, in any locale.
[[nodiscard]] constexpr bool is_letter(char byte) noexcept {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

/// Returns the value of a hexadecimal digit, or -1.
[[nodiscard]] constexpr int hex_digit(char byte) noexcept {
    return is_digit(byte) ? byte - '0' : byte >= 'a' && byte <= 'f' ? byte - 'a' + 10 : byte >= 'A' && byte <= 'F' ? byte - 'A' + 10 : -1;
}

/// Decodes percent escapes such as `%41`. Invalid escapes stay.
[[nodiscard]] std::string percent_decoded(std::string_view text);

/// Returns whether the byte is ASCII white space.
[[nodiscard]] bool is_space(char byte) noexcept;

/// Returns whether the text is empty or only white space.
[[nodiscard]] bool is_blank(std::string_view text) noexcept;

/// Removes white space at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text) noexcept;

/// Converts ASCII capitals to lower case, in any locale. Other bytes stay.
[[nodiscard]] std::string ascii_lower(std::string_view text);

/// Returns whether the texts are equal when the case of ASCII letters is ignored.
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept;

/// Returns the candidate nearest to `name` by edit distance, or empty if no candidate is likely to be meant.
[[nodiscard]] std::string_view nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
