#pragma once
#include <span>

namespace repl {

/// `pyaichat emulate gemini|anthropic|openai ...`: serves the replies of a script on 127.0.0.1 until SIGINT or SIGTERM. `arguments` are
/// those after `emulate`. Returns the exit status: 0, 1 if the port or a file is not available, 2 for wrong usage or an invalid script, 3
/// if a request was refused or came after the last reply.
[[nodiscard]] int emulate(std::span<char* const> arguments);

}  // namespace repl
