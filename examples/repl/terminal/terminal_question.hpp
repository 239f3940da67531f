#pragma once
#include "terminal/line_editor.hpp"

#include <string>

namespace repl {

/// Asks the person at the terminal for a line, outside of the prompt. What was typed before the question was shown is no answer to it and
/// is thrown away.
[[nodiscard]] entered_line ask_at_terminal(const std::string& prompt);

}  // namespace repl
