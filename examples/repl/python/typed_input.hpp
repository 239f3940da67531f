#pragma once
#include <pyaichat/python/session.hpp>

#include "terminal/entry_editor.hpp"
#include "terminal/screen.hpp"

#include <string>

namespace repl {

/// Reads lines for Python's `input()` and `sys.stdin`. For the thread that reads the prompt's entries.
///
/// At a terminal the person types them. Otherwise they are the next lines of standard input, which the prompt reads too.
class typed_input {
public:
    typed_input(entry_editor& editor, bool terminal, screen& screen) : editor_(editor), terminal_(terminal), screen_(screen) {}

    [[nodiscard]] pyaichat::python::input_line read(const std::string& prompt);

private:
    entry_editor& editor_;
    bool terminal_;
    screen& screen_;
};

}  // namespace repl
