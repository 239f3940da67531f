#include "terminal/console.hpp"

#include "options.hpp"
#include "python/session_query.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <chrono>

namespace repl {

namespace {

using namespace std::chrono_literals;

constexpr const char* help = R"(TAB on an empty line switches between Python and the assistant; Alt-P always does.
  Python      statements, expressions, blocks (end a block with an empty line); the last value is in _
  assistant   a question about the session, answered from the live objects
  /mode [py|ai]     switch the mode
  /vars             the variables of the session
  /plugins          the loaded plugins and their state
  /reload           load changed and new plugins
  /model [NAME]     show the model, or switch to another model
  /eval [POLICY]    show or set what expressions of the assistant may do: structural, snapshot, ask, unrestricted
  /memory [on|off]  send earlier questions and answers with each question (off at start)
  /trace            the events of the last question
  /context          what the next question would send
  /help  /quit      Ctrl-D on an empty line also quits; Ctrl-C interrupts
)";

}  // namespace

console::next_action console::command(const std::string& line) {
    const std::size_t space = line.find_first_of(" \t");
    const std::string name = line.substr(0, space);
    const std::string argument(space == std::string::npos ? std::string_view() : ai::detail::trimmed(std::string_view(line).substr(space)));
    if (name == "/quit" || name == "/exit") {
        return next_action::leave;
    }
    if (name == "/help") {
        screen_.out(help);
    } else if (name == "/mode") {
        change_mode(argument);
    } else if (name == "/vars") {
        list_variables();
    } else if (name == "/model") {
        change_model(argument);
    } else if (name == "/eval") {
        change_eval_policy(argument);
    } else if (name == "/memory") {
        change_memory(argument);
    } else if (name == "/plugins") {
        screen_.out(plugins_.listing());
    } else if (name == "/reload") {
        screen_.out(plugins_.reload());
    } else if (name == "/trace") {
        screen_.out(assistant_.trace());
    } else if (name == "/context") {
        screen_.out(assistant_.context());
    } else {
        screen_.err("unknown command " + printable(name) + "; /help lists the commands\n");
    }
    return next_action::go_on;
}

completion_list console::complete_command(std::string_view entry, std::size_t cursor) {
    constexpr auto names = std::to_array<std::string_view>(
        {"/context", "/eval", "/help", "/memory", "/mode", "/model", "/plugins", "/quit", "/reload", "/trace", "/vars"});
    completion_list out{.begin = entry.find('/'), .end = cursor};
    const std::string_view typed = entry.substr(out.begin, cursor < out.begin ? 0 : cursor - out.begin);
    for (const std::string_view name : names) {
        if (cursor > out.begin && name.starts_with(typed)) {
            out.items.push_back({.text = std::string(name)});
        }
    }
    return out;
}

void console::change_mode(const std::string& mode) {
    if (mode.empty()) {
        toggle_mode();
    } else if (mode == "py" || mode == "ai") {
        mode_ = mode == "py" ? console_mode::python : console_mode::assistant;
    } else {
        screen_.err("/mode takes py or ai\n");
    }
}

void console::change_model(const std::string& model) {
    if (const auto changed = model.empty() ? ai::result<void>() : assistant_.use_model(model); !changed) {
        screen_.err(printable(changed.error().message) + "\n");
    } else {
        screen_.out(assistant_.who_answers() + "\n");
    }
}

void console::change_eval_policy(const std::string& name) {
    const auto wanted = name.empty() ? python_.session().policy() : policy_named(name);
    if (!wanted) {
        screen_.err("/eval takes " + std::string(policy_names) + "\n");
        return;
    }
    python_.session().set_policy(*wanted);
    screen_.out("expressions: " + std::string(to_string(*wanted)) + "\n");
}

void console::change_memory(const std::string& state) {
    if (state == "on" || state == "off") {
        assistant_.remember(state == "on");
    }
    screen_.out(assistant_.remembers() ? "memory is on: a question includes the earlier ones\n"
                                       : "memory is off: each question is independent\n");
}

void console::list_variables() {
    if (const auto sentence = python_.busy()) {
        screen_.err(*sentence + "\n");
        return;
    }
    constexpr std::size_t most = 1000;
    const auto variables = query_variables(python_.session(), "", most, 2s);
    if (!variables) {
        screen_.err("the variables could not be listed\n");
        return;
    }
    std::string text;
    for (const ai::json& variable : *variables) {
        const auto member = [&](const char* key) { return std::string(ai::string_member(variable, key).value_or("")); };
        const std::string summary = member("summary");
        text += "  " + member("name") + (member("type_name").empty() ? "" : " (" + member("type_name") + ")") +
                (summary.empty() ? "" : ": " + ai::detail::one_row(summary, 100)) + "\n";
    }
    if (variables->size() == most) {
        text += "  ... and more\n";
    }
    screen_.out(text.empty() ? "no variables yet\n" : printable(text));
}

}  // namespace repl
