#pragma once

namespace pyaichat::inline v0::lua::detail {

/// What names, keywords and numbers of Lua are made of, whatever the locale.
[[nodiscard]] inline bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace pyaichat::inline v0::lua::detail
