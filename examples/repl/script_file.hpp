#pragma once
#include <pyaichat/core/result.hpp>

#include <string>

namespace repl {

/// The text of a Python file. Fails with `not_found`.
[[nodiscard]] pyaichat::result<std::string> read_script(const std::string& path);

}  // namespace repl
