#pragma once
#include <pyaichat/core/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The text of a plugin, and what to call it in messages: one line without control characters.
struct plugin_source {
    std::string file = {};
    std::string text = {};
};

/// The most that a plugin's file may hold.
inline constexpr std::size_t max_source = std::size_t{256} << 10;

/// The part of the text that is for Lua's compiler: without a byte order mark and without what `#!` begins. Fails when it is too long, is
/// no text, or would keep the compiler busy for longer than a host can wait.
[[nodiscard]] result<std::string_view> text_to_compile(const plugin_source& source);

/// A failure whose message begins with `file:line:`.
[[nodiscard]] failure mistake(std::string_view file, int line, const std::string& what, std::string change);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
