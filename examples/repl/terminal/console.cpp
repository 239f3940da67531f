#include "terminal/console.hpp"

#include "commands/command_table.hpp"
#include "commands/prompt_shortcuts.hpp"
#include "python/command_completion.hpp"
#include "python/python_highlight.hpp"
#include "shell/typed_command.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string_view>

namespace repl {

namespace {

using ai::python::ending;
using ai::python::run_mode;

bool is_command(std::string_view entry) {
    return ai::detail::trimmed(entry).starts_with('/');
}

/// Whether the entry is neither Python nor a question.
bool is_for_program(std::string_view entry) {
    return is_command(entry) || is_shell_command(entry);
}

}  // namespace

std::string console::prompt() const {
    return mode_ == console_mode::assistant ? "ai> " : "py> ";
}

std::string console::toggle_mode() {
    mode_ = mode_ == console_mode::python ? console_mode::assistant : console_mode::python;
    std::string question = offer_.take();
    return mode_ == console_mode::assistant ? std::move(question) : std::string();
}

entry_state console::judge(std::string_view entry) const {
    return mode_ == console_mode::assistant || is_for_program(entry) ? entry_state() : judge_entry(entry);
}

std::vector<styled_span> console::highlight(std::string_view entry) const {
    return mode_ == console_mode::assistant || is_for_program(entry) ? std::vector<styled_span>() : highlight_python(entry);
}

completion_list console::complete(std::string_view entry, std::size_t cursor) {
    if (is_command(entry)) {
        return complete_command(entry, cursor, command_forms());
    }
    return python_.busy() || is_shell_command(entry) ? completion_list() : complete_python(python_.session(), entry, cursor);
}

std::string console::describe(std::string_view entry, std::size_t cursor) {
    return is_command(entry) || python_.busy() ? std::string() : describe_call_at(python_.session(), entry, cursor);
}

exit_status console::run(entry_editor& editor) {
    editor_ = &editor;
    for (;;) {
        const entry read = editor.read(*this);
        if (read.what == entry::kind::interrupted) {
            if (const auto sentence = python_.busy()) {
                screen_.err(*sentence + "\n");
            }
            continue;
        }
        if (read.what == entry::kind::closed || handle(read.text) == next_action::leave) {
            editor_ = nullptr;
            return status_;
        }
        screen_.fresh_line();
    }
}

console::next_action console::handle(const std::string& text) {
    const std::string_view trimmed = ai::detail::trimmed(text);
    if (trimmed.empty()) {
        return next_action::go_on;
    }
    if (trimmed.starts_with('/')) {
        // A paste may have more lines behind a command.
        const std::size_t end = std::min(trimmed.find('\n'), trimmed.size());
        const next_action then = command(std::string(ai::detail::trimmed(trimmed.substr(0, end))));
        return then == next_action::leave ? then : handle(std::string(trimmed.substr(end)));
    }
    offer_.forget();
    if (is_shell_command(trimmed)) {
        run_typed_command(trimmed, python_.record(), screen_);
        return next_action::go_on;
    }
    if (mode_ == console_mode::python) {
        if (answer_at_prompt(text, python_, screen_)) {
            return next_action::go_on;
        }
        return run_python(text);
    }
    note(assistant_.ask(std::string(trimmed)));
    return next_action::go_on;
}

console::next_action console::run_python(const std::string& text) {
    // An empty line ends a block.
    const std::string code = text.find('\n') == std::string::npos ? text : text + "\n";
    ai::python::outcome outcome = python_.run(code, run_mode::interactive, "<input>");
    if (outcome.ending == ending::incomplete) {
        // The end of the input: Python reports the syntax error.
        outcome = python_.run(code, run_mode::statements, "<input>");
    }
    if (outcome.ending == ending::exited) {
        status_ = static_cast<exit_status>(outcome.exit_status);
        left_by_exit_ = true;
        return next_action::leave;
    }
    if (outcome.ending == ending::raised) {
        note(exit_status::error);
        offer_.consider(text, outcome, screen_);
    }
    return next_action::go_on;
}

}  // namespace repl
