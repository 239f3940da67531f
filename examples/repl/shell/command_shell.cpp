#include "shell/command_shell.hpp"

#include "terminal/screen.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/policy/borrow.hpp>

#include <algorithm>

namespace repl {

namespace {

constexpr const char* capability_name = "exec";
constexpr const char* shell_is_off = "the assistant runs no commands; start with --shell to let it ask\n";

ai::call_decision::kind judge_call(const ai::shell_rules& rules, const ai::proposed_call& call) {
    return rules.judge(ai::string_member(call.arguments, "command").value_or("")).what;
}

}  // namespace

ai::shell command_shell::source() {
    return ai::shell({.name = capability_name, .timeout = std::chrono::minutes(10), .approval = ai::borrow(rules_)});
}

bool command_shell::makes(const ai::proposed_call& call) const {
    return on_ && call.name == capability_name && call.from == ai::provenance::host && call.origin == "shell";
}

std::vector<std::string> command_shell::rules_for(const ai::proposed_call& call) const {
    return rules_.judge(ai::string_member(call.arguments, "command").value_or("")).rules;
}

bool command_shell::allows(const ai::proposed_call& call) const {
    return makes(call) && judge_call(rules_, call) == ai::call_decision::kind::allow;
}

void command_shell::allow(const std::vector<std::string>& rules) {
    for (const std::string& rule : rules) {
        if (std::find(rules_.allow.begin(), rules_.allow.end(), rule) == rules_.allow.end()) {
            rules_.allow.push_back(rule);
        }
    }
}

ai::result<std::string> command_shell::change(std::string_view argument) {
    argument = ai::detail::trimmed(argument);
    if (!on_ || argument.empty()) {
        return on_ ? report() : shell_is_off;
    }
    const std::size_t end = std::min(argument.find(' '), argument.size());
    const std::string_view word = argument.substr(0, end);
    const std::string rule(ai::detail::trimmed(argument.substr(end)));
    if (word != "allow" && word != "deny" && word != "forget") {
        return ai::failure{.code = ai::errc::invalid_argument,
                           .message = "/shell takes allow, deny or forget, and a rule such as git status"};
    }
    if (word != "forget") {
        if (const auto valid = ai::check_shell_rule(rule); !valid) {
            return valid.error();
        }
    }
    const auto removed = std::erase(rules_.allow, rule) + std::erase(rules_.deny, rule);
    if (word == "forget" && removed == 0) {
        return ai::failure{.code = ai::errc::invalid_argument, .message = "there is no rule " + say_rules({rule})};
    }
    if (word != "forget") {
        (word == "allow" ? rules_.allow : rules_.deny).push_back(rule);
    }
    return report();
}

std::string command_shell::report() const {
    std::string text;
    for (const std::string& rule : rules_.deny) {
        text += "  denied   " + rule + "\n";
    }
    for (const std::string& rule : rules_.allow) {
        text += "  allowed  " + rule + "\n";
    }
    return printable(text) + (text.empty() ? "every command is asked about\n" : "  every other command is asked about\n");
}

std::string say_rules(const std::vector<std::string>& rules) {
    std::string text;
    for (std::size_t i = 0; i < rules.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == rules.size() ? " and " : ", ") + ("`" + rules[i] + "`");
    }
    return printable(text);
}

}  // namespace repl
