#include "terminal/console.hpp"

#include "python/session_query.hpp"

#include <pyaichat/core/text.hpp>

#include <cctype>
#include <string_view>
#include <utility>

namespace repl {

namespace {

using ai::python::ending;
using ai::python::run_mode;

bool is_indented(std::string_view line) {
    return !line.empty() && (line.front() == ' ' || line.front() == '\t');
}

/// Whether an unindented line belongs to the block before it.
bool continues_block(std::string_view line) {
    if (line.empty() || is_indented(line) || line.front() == '#') {
        return true;
    }
    for (const std::string_view word : {"else", "elif", "except", "finally"}) {
        if (line.starts_with(word) && (line.size() == word.size() ||
                                       !(std::isalnum(static_cast<unsigned char>(line[word.size()])) != 0 || line[word.size()] == '_'))) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::string console::prompt() const {
    if (mode_ == console_mode::assistant) {
        return "ai> ";
    }
    return block_.empty() ? "py> " : "... ";
}

void console::toggle_mode() {
    mode_ = mode_ == console_mode::python ? console_mode::assistant : console_mode::python;
}

std::vector<std::string> console::complete(const std::string& before) {
    return python_.busy() ? std::vector<std::string>() : completions(python_.session(), before);
}

exit_status console::run(line_editor& editor) {
    for (;;) {
        const entered_line line = editor.read(*this);
        if (line.what == entered_line::kind::interrupted) {
            block_.clear();
            if (const auto sentence = python_.busy()) {
                screen_.err(*sentence + "\n");
            }
            continue;
        }
        if (line.what == entered_line::kind::closed) {
            next_action then = next_action::go_on;
            if (!block_.empty()) {
                block_ += '\n';
                if (!run_block(then)) {
                    finish_broken_block();
                }
            }
            break;
        }
        if (handle(line) == next_action::leave) {
            break;
        }
        screen_.fresh_line();
    }
    return status_;
}

console::next_action console::handle(const entered_line& line) {
    const std::string_view text = ai::detail::trimmed(line.text);
    if (text.starts_with('/') && (block_.empty() || mode_ == console_mode::assistant || line.pasted)) {
        next_action then = next_action::go_on;
        if (!block_.empty() && mode_ == console_mode::python) {
            const std::string before = block_;
            block_ += '\n';
            if (!run_block(then)) {
                block_ = before;  // inside brackets or a multi-line string: part of the code, not a command
                return python_line(line);
            }
            if (then == next_action::leave) {
                return then;
            }
        }
        return command(std::string(text));
    }
    if (mode_ == console_mode::python) {
        return python_line(line);
    }
    if (!text.empty()) {
        note(assistant_.ask(std::string(text)));
    }
    return next_action::go_on;
}

console::next_action console::python_line(const entered_line& line) {
    next_action then = next_action::go_on;
    if (block_.empty() && ai::detail::is_blank(line.text)) {
        return then;
    }
    if (!block_.empty() && line.pasted) {
        // A pasted block may contain empty lines. It ends at the next unindented line.
        if (ai::detail::is_blank(line.text) || continues_block(line.text)) {
            block_ += "\n" + line.text;
            return then;
        }
        const std::string before = block_;
        block_ += '\n';
        if (!run_block(then)) {
            block_ = before;  // inside brackets or a multi-line string
        }
        if (then == next_action::leave) {
            return then;
        }
    }
    if (!block_.empty() && !line.pasted && ai::detail::is_blank(line.text)) {
        // Invisible blanks must not keep a block open, but inside a multi-line string they are part of the text.
        const std::string before = block_;
        block_ += '\n';
        if (!run_block(then)) {
            block_ = before + "\n" + line.text;
        }
        return then;
    }
    block_ += block_.empty() ? line.text : "\n" + line.text;
    run_block(then);
    return then;
}

/// Runs the unfinished block at the end of the input, so that Python reports the syntax error.
void console::finish_broken_block() {
    python_.run(std::exchange(block_, {}), run_mode::statements, "<input>");
    note(exit_status::error);
}

bool console::run_block(next_action& then) {
    const ai::python::outcome outcome = python_.run(block_, run_mode::interactive, "<input>");
    switch (outcome.ending) {
        case ending::incomplete: return false;
        case ending::exited:
            status_ = static_cast<exit_status>(outcome.exit_status);
            left_by_exit_ = true;
            then = next_action::leave;
            break;
        case ending::raised: note(exit_status::error); break;
        default: break;
    }
    block_.clear();
    return true;
}

}  // namespace repl
