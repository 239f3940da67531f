#pragma once
#include "lua/sandbox/instance.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Reads a plugin's file, at most one byte more than `max_source`. Fails with `not_found` if it does not exist or cannot be read.
[[nodiscard]] result<plugin_source> read_plugin_file(const std::string& path);

/// The paths of the `*.lua` files in a folder, sorted. Fails with `not_found` if the folder cannot be read.
[[nodiscard]] result<std::vector<std::string>> plugin_files_in(const std::string& folder);

/// The time of the file's last change; the epoch if it does not exist.
[[nodiscard]] std::filesystem::file_time_type written_at(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
