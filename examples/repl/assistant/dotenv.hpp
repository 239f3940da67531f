#pragma once
#include <map>
#include <string>
#include <string_view>

namespace repl {

using variables = std::map<std::string, std::string, std::less<>>;

/// Reads the text of a `.env` file: `NAME=value` a line, `export` before and quotes around allowed, `#` for comments.
/// Lines that are something else are passed over.
[[nodiscard]] variables parse_dotenv(std::string_view text);

/// The variables of a file; none when there is no such regular file, or it is larger than 64 KiB.
[[nodiscard]] variables read_dotenv(const char* path);

}  // namespace repl
