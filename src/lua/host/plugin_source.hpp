#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/core/text.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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

/// Whether a character can occur in a name, keyword or number of Lua, in any locale.
[[nodiscard]] inline bool is_word(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || pyaichat::detail::is_digit(c) || c == '_';
}

/// A failure whose message begins with `file:line:`.
[[nodiscard]] failure mistake(std::string_view file, int line, const std::string& what, std::string change);

/// Reads a plugin's file, at most one byte more than `max_source`. Fails with `not_found` if it does not exist or cannot be read.
[[nodiscard]] result<plugin_source> read_plugin_file(const std::string& path);

/// The paths of the `*.lua` files in a folder, sorted. Fails with `not_found` if the folder cannot be read.
[[nodiscard]] result<std::vector<std::string>> plugin_files_in(const std::string& folder);

/// The time of the file's last change; the epoch if it does not exist.
[[nodiscard]] std::filesystem::file_time_type written_at(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
