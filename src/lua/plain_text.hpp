#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline v0::lua::detail {

/// Whether a text has control characters: of ASCII, or of the block from U+0080 to U+009F, by which terminals can be steered as well.
[[nodiscard]] bool has_control(std::string_view text) noexcept;

/// A plugin's text as a person may see it: one line of at most `bytes` bytes of UTF-8 without control characters.
[[nodiscard]] std::string plain_line(std::string_view text, std::size_t bytes);

}  // namespace pyaichat::inline v0::lua::detail
