#pragma once
#include <pyaichat/choice/provider_choice.hpp>

#include <string>
#include <string_view>

namespace repl {

using pyaichat::variables;

/// Parses a `.env` file: lines of `NAME=value`, optionally with `export` or quotes; `#` begins a comment. Ignores other lines.
[[nodiscard]] variables parse_dotenv(std::string_view text);

/// What a `.env` file has.
struct dotenv_file {
    variables values = {};
    std::string problem = {};  ///< why an existing file was not read; empty if there is no problem
};

/// Reads and parses a file. It must be a regular file of at most 64 KiB. A missing file is no problem.
[[nodiscard]] dotenv_file read_dotenv(const char* path);

}  // namespace repl
