#pragma once
#include <pyaichat/core/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The text of a plugin and its name in messages, which is one line without control characters.
struct plugin_source {
    std::string file = {};
    std::string text = {};
};

/// The maximum size of a plugin's file, in bytes.
inline constexpr std::size_t max_source = std::size_t{256} << 10;

/// Returns the text for Lua's compiler, without a byte order mark and a `#!` line. Fails if the file is too large, is compiled Lua, or has
/// so many jumps that the compiler would block the host.
[[nodiscard]] result<std::string_view> text_to_compile(const plugin_source& source);

/// A failure whose message begins with `file:line:`.
[[nodiscard]] failure mistake(std::string_view file, int line, const std::string& what, std::string change);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
