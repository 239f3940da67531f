#pragma once
#include "terminal/entry_editor.hpp"

#include <string>

namespace repl {

/// Asks the person at the terminal a question and reads one line. Discards what was typed before the question was shown.
[[nodiscard]] entry ask_at_terminal(const std::string& prompt);

}  // namespace repl
