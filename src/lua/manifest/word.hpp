#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Whether a character can occur in a name, keyword or number of Lua, in any locale.
[[nodiscard]] inline bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
