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

/// Whether a line at the left edge goes on with the block before it.
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
            outcome then = outcome::go_on;
            if (!block_.empty()) {
                block_ += '\n';
                if (!run_block(then)) {
                    finish_broken_block();
                }
            }
            break;
        }
        if (handle(line) == outcome::leave) {
            break;
        }
        screen_.fresh_line();
    }
    return status_;
}

console::outcome console::handle(const entered_line& line) {
    const std::string_view text = ai::detail::trimmed(line.text);
    if (text.starts_with('/') && (block_.empty() || mode_ == console_mode::assistant || line.pasted)) {
        outcome then = outcome::go_on;
        if (!block_.empty() && mode_ == console_mode::python) {
            const std::string before = block_;
            block_ += '\n';
            if (!run_block(then)) {
                block_ = before;  // within brackets, or a text of several lines: no command but a part of it
                return python_line(line);
            }
            if (then == outcome::leave) {
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
    return outcome::go_on;
}

console::outcome console::python_line(const entered_line& line) {
    outcome then = outcome::go_on;
    if (block_.empty() && ai::detail::is_blank(line.text)) {
        return then;
    }
    if (!block_.empty() && line.pasted) {
        // Nobody ends a block of a paste by an empty line: it may have some inside. The next line at the left edge does.
        if (ai::detail::is_blank(line.text) || continues_block(line.text)) {
            block_ += "\n" + line.text;
            return then;
        }
        const std::string before = block_;
        block_ += '\n';
        if (!run_block(then)) {
            block_ = before;  // within brackets, or a text of several lines
        }
        if (then == outcome::leave) {
            return then;
        }
    }
    if (!block_.empty() && !line.pasted && ai::detail::is_blank(line.text)) {
        // Blanks that the person has not seen must not keep a block open; within a text of several lines they are part of it.
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

/// What is unfinished at the end of the input is an error, and Python says which: statements must be whole.
void console::finish_broken_block() {
    python_.run(std::exchange(block_, {}), run_mode::statements, "<input>");
    note(exit_status::error);
}

bool console::run_block(outcome& then) {
    const ai::python::outcome came = python_.run(block_, run_mode::interactive, "<input>");
    switch (came.ending) {
        case ending::incomplete: return false;
        case ending::exited:
            status_ = static_cast<exit_status>(came.exit_status);
            left_by_exit_ = true;
            then = outcome::leave;
            break;
        case ending::raised: note(exit_status::error); break;
        default: break;
    }
    block_.clear();
    return true;
}

}  // namespace repl
