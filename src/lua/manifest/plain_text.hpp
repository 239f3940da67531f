#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Whether a text has invisible characters that may change how it is displayed: control characters (ASCII, and U+0080 to U+009F, which
/// control terminals), direction marks, Unicode line ends, and zero-width characters except those that join letters (U+200C, U+200D).
[[nodiscard]] bool has_unseen(std::string_view text) noexcept;

/// Makes a text safe to display: one line of at most `bytes` bytes of UTF-8 without such characters.
[[nodiscard]] std::string plain_line(std::string_view text, std::size_t bytes);

/// A file name with such characters and bytes that are not UTF-8 escaped as `\x0a`.
[[nodiscard]] std::string shown_path(std::string_view path);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
