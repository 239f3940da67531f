#pragma once
#include <pyaichat/core/result.hpp>

#include <string>

namespace repl {

/// Reads a Python file. Fails with `not_found`.
[[nodiscard]] pyaichat::result<std::string> read_script(const std::string& path);

/// Statements that prepare the session for running this file: they set `__file__` and `sys.argv`, and put its folder first on `sys.path`.
[[nodiscard]] std::string script_setup(const std::string& path);

}  // namespace repl
