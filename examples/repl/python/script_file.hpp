#pragma once
#include <pyaichat/core/result.hpp>

#include <string>

namespace repl {

/// The text of a Python file. Fails with `not_found`.
[[nodiscard]] pyaichat::result<std::string> read_script(const std::string& path);

/// Statements that make the session look like one that runs this file: `__file__`, `sys.argv`, and its folder first on `sys.path`.
[[nodiscard]] std::string script_setup(const std::string& path);

}  // namespace repl
