#pragma once
#include <span>

namespace repl {

/// `pyaichat emulate gemini ...`: serves the replies of a script on 127.0.0.1 until it is told to end. `arguments` are those after
/// `emulate`. Returns the exit status: 0, 1 for a port or file that cannot be had, 2 for wrong usage or a bad script, 3 when a request was
/// refused or came after the last reply.
[[nodiscard]] int emulate(std::span<char* const> arguments);

}  // namespace repl
