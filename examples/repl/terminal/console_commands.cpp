#include "assistant/call_approval.hpp"
#include "commands/command_table.hpp"
#include "terminal/console.hpp"
#include "terminal/terminal_question.hpp"

#include <unistd.h>

namespace repl {

console::next_action console::command(const std::string& line) {
    run_command({python_, assistant_, plugins_, screen_, *this}, line);
    return leaving_ ? next_action::leave : next_action::go_on;
}

void console::prefill(const std::string& text) {
    if (editor_ != nullptr && at_terminal()) {
        editor_->prefill(text);
    } else {
        screen_.out(printable(text) + "\n");
    }
}

bool console::confirm(const std::string& question) {
    if (!at_terminal()) {
        return false;
    }
    const entry line = ask_at_terminal(printable(question) + " yes or no: ");
    return line.what == entry::kind::text && read_choice(line.text) == person_choice::yes;
}

bool console::at_terminal() const {
    return screen_.is_terminal() && ::isatty(0) == 1;
}

void console::add_history(console_mode mode, const std::string& entry) {
    if (editor_ != nullptr) {
        editor_->add_history(mode == console_mode::python ? 0 : 1, entry);
    }
}

}  // namespace repl
