#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Whether a text has characters that a person does not see and that may change what he sees: controls of ASCII and from U+0080 to U+009F,
/// by which terminals are steered; the marks of direction; line ends of Unicode; characters without width, but for the two that join
/// letters in ordinary texts (U+200C, U+200D).
[[nodiscard]] bool has_unseen(std::string_view text) noexcept;

/// A plugin's text as a person may see it: one line of at most `bytes` bytes of UTF-8 without such characters.
[[nodiscard]] std::string plain_line(std::string_view text, std::size_t bytes);

/// The name of a file, with such characters and what is no UTF-8 written as `\x0a`.
[[nodiscard]] std::string shown_path(std::string_view path);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
