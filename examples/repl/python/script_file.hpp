#pragma once
#include <pyaichat/core/result.hpp>

#include <string>

namespace repl {

/// Reads a Python file. Fails with `not_found`.
[[nodiscard]] pyaichat::result<std::string> read_script(const std::string& path);

/// The folder that comes first on `sys.path` for this script. As in Python: for a symbolic link, the folder of the file itself, where its
/// modules are.
[[nodiscard]] std::string script_folder(const std::string& path);

/// Statements that prepare the session for running this file: they set `__file__`.
[[nodiscard]] std::string script_setup(const std::string& path);

}  // namespace repl
