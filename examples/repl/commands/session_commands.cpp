#include "commands/command_groups.hpp"
#include "options.hpp"
#include "python/session_query.hpp"

#include <pyaichat/core/text.hpp>

#include <chrono>

namespace repl {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_variables = 1000;

void list_variables(const command_target& target, const std::string&) {
    if (const auto sentence = target.python.busy()) {
        target.out.err(*sentence + "\n");
        return;
    }
    const auto variables = query_variables(target.python.session(), "", most_variables, 2s);
    if (!variables) {
        target.out.err("the variables could not be listed\n");
        return;
    }
    std::string text;
    for (const ai::json& variable : *variables) {
        const auto member = [&](const char* key) { return std::string(ai::string_member(variable, key).value_or("")); };
        const std::string summary = member("summary");
        text += "  " + member("name") + (member("type_name").empty() ? "" : " (" + member("type_name") + ")") +
                (summary.empty() ? "" : ": " + ai::detail::one_row(summary, 100)) + "\n";
    }
    if (variables->size() == most_variables) {
        text += "  ... and more\n";
    }
    target.out.out(text.empty() ? "no variables yet\n" : printable(text));
}

void change_eval_policy(const command_target& target, const std::string& name) {
    const auto policy = name.empty() ? target.python.session().policy() : policy_named(name);
    if (!policy) {
        target.out.err("/eval takes " + std::string(policy_names) + "\n");
        return;
    }
    target.python.session().set_policy(*policy);
    target.out.out("expressions: " + std::string(to_string(*policy)) + "\n");
}

void list_plugins(const command_target& target, const std::string&) {
    target.out.out(target.plugins.listing());
}

void reload_plugins(const command_target& target, const std::string&) {
    target.out.out(target.plugins.reload());
}

void change_shell(const command_target& target, const std::string& argument) {
    if (const auto changed = target.answers.shell().change(argument)) {
        target.out.out(*changed);
    } else {
        target.out.err(printable(changed.error().message) + "\n");
    }
}

constexpr std::string_view shell_words[] = {"allow", "deny", "forget"};
constexpr std::string_view policies[] = {"structural", "snapshot", "ask", "unrestricted"};

constexpr command commands_of_session[] = {
    {"/vars", "", "the variables of the session", &list_variables},
    {"/eval", "[POLICY]", "what expressions of the assistant may do: structural, snapshot, ask, unrestricted", &change_eval_policy,
     policies},
    {"/shell", "[allow RULE|...]", "the rules for commands of the assistant: allow, deny, forget", &change_shell, shell_words},
    {"/plugins", "", "the loaded plugins and their state", &list_plugins},
    {"/reload", "", "load changed and new plugins", &reload_plugins},
};

}  // namespace

std::span<const command> session_commands() {
    return commands_of_session;
}

}  // namespace repl
