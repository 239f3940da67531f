#pragma once
#include "python/entry_record.hpp"
#include "terminal/screen.hpp"

#include <string_view>

namespace repl {

/// Runs an entry such as `!git status` for the person. Shows its output while it runs; Ctrl-C ends the command. The command has the
/// environment of the program without variables that hold keys, and no input. Its output becomes that of the last entry.
void run_typed_command(std::string_view entry, entry_record& record, screen& screen);

}  // namespace repl
