#pragma once
#include "terminal/entry_editor.hpp"
#include "terminal/screen.hpp"

#include <memory>
#include <string>
#include <vector>

namespace repl {

/// Makes an editor for the terminal of standard input and output. Returns null if they are not a terminal, or a dumb one. `history_files`
/// has one name per mode; with an empty name the history is not kept.
[[nodiscard]] std::unique_ptr<entry_editor> make_terminal_editor(std::vector<std::string> history_files, bool color, screen& screen);

}  // namespace repl
