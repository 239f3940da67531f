#pragma once
#include "lua/sandbox/instance.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Reads a plugin's file. Fails with `not_found`, or `too_large` without reading more than is allowed.
[[nodiscard]] result<plugin_source> read_plugin_file(const std::string& path);

/// The `*.lua` of a folder, by name. Fails with `not_found`.
[[nodiscard]] result<std::vector<std::string>> plugin_files_in(const std::string& folder);

/// When it was last written; the epoch when it is not there.
[[nodiscard]] std::filesystem::file_time_type written_at(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
