#pragma once
#include <map>
#include <string>
#include <string_view>

namespace repl {

using variables = std::map<std::string, std::string, std::less<>>;

/// Parses a `.env` file: lines of `NAME=value`, optionally with `export` or quotes; `#` begins a comment. Ignores other lines.
[[nodiscard]] variables parse_dotenv(std::string_view text);

/// Reads and parses a file. Returns no variables if it is not a regular file or is larger than 64 KiB.
[[nodiscard]] variables read_dotenv(const char* path);

}  // namespace repl
