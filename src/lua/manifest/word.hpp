#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// What names, keywords and numbers of Lua are made of, whatever the locale.
[[nodiscard]] inline bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
