#pragma once
#include <pyaichat/config/config.hpp>

#include <algorithm>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether every service accepts the name: `[A-Za-z_][A-Za-z0-9_-]{0,63}`.
[[nodiscard]] inline bool is_capability_name(std::string_view name) noexcept {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= 64 && letter(name.front()) && std::all_of(name.begin(), name.end(), other);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
