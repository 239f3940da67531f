#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>

#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// A variable as `/save` keeps it.
struct saved_variable {
    std::string name = {};
    std::string pickled = {};  ///< the bytes of the pickle in hexadecimal digits
};

/// What `/save` writes and `/load` reads: one JSON file.
struct session_file {
    std::vector<std::string> entries = {};
    ai::json conversation = {};  ///< of `question_memory::stored`
    std::vector<saved_variable> variables = {};
};

/// Writes the file, readable by its owner only. Replaces an existing file completely or not at all. Fails with `unavailable`.
[[nodiscard]] ai::result<void> write_session_file(const std::string& path, const session_file& session);

/// Reads a file. Fails with `not_found`, or with `bad_response` if it is not a session or damaged.
[[nodiscard]] ai::result<session_file> read_session_file(const std::string& path);

/// The JSON text of a session, and back.
[[nodiscard]] std::string session_text(const session_file& session);
[[nodiscard]] ai::result<session_file> parse_session(std::string_view text);

}  // namespace repl
