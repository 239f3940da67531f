#include "terminal/terminal_question.hpp"

#include "terminal/plain_editor.hpp"

#include <termios.h>

namespace repl {

entry ask_at_terminal(const std::string& prompt) {
    ::tcflush(0, TCIFLUSH);
    return make_plain_editor(true)->read_input(prompt);
}

}  // namespace repl
