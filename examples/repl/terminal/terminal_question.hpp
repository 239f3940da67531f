#pragma once
#include "terminal/line_editor.hpp"

#include <string>

namespace repl {

/// Asks the person at the terminal a question and reads one line. Discards what was typed before the question was shown.
[[nodiscard]] entered_line ask_at_terminal(const std::string& prompt);

}  // namespace repl
