#pragma once
#include <pyaichat/core/result.hpp>

#include <string>

namespace repl {

/// Reads a file that the person names. Fails with `not_found` if it cannot be read, and with `invalid_argument` if it is a folder.
[[nodiscard]] pyaichat::result<std::string> read_whole_file(const std::string& path);

}  // namespace repl
