#include <pyaichat/core/text.hpp>
#include <pyaichat/shell/shell_rules.hpp>

#include "shell/rules/program_kinds.hpp"
#include "shell/rules/visible_text.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using detail::command_words;
using kind = call_decision::kind;

/// The words of a rule; none if it is not valid, so it matches nothing.
command_words words_of_rule(std::string_view rule) {
    detail::command_line line = detail::parse_command_line(rule);
    return line.obstacle.empty() && line.commands.size() == 1 ? std::move(line.commands.front()) : command_words();
}

bool begins_with(const command_words& command, const command_words& rule) {
    return !rule.empty() && rule.size() <= command.size() && std::equal(rule.begin(), rule.end(), command.begin());
}

/// The command under the name of its program, without the path.
command_words by_name(command_words command) {
    command.front().erase(0, command.front().rfind('/') + 1);
    return command;
}

/// Whether the words of the rule occur in the command in this order, with others between, as in `git -C .. push`.
bool may_mean(const command_words& command, const command_words& rule) {
    if (rule.empty() || command.front() != rule.front()) {
        return false;
    }
    auto next = rule.begin();
    for (const std::string& word : command) {
        next += next != rule.end() && *next == word ? 1 : 0;
    }
    return next == rule.end();
}

std::string quoted(const std::string& text) {
    return "`" + detail::visible_text(text) + "`";
}

/// What the rules say about one command of a line.
shell_judgement judge_command(const shell_rules& rules, const command_words& command) {
    const command_words named = by_name(command);
    bool doubtful = false;
    for (const std::string& rule : rules.deny) {
        const command_words words = words_of_rule(rule);
        if (begins_with(command, words) || begins_with(named, words)) {
            return {.what = kind::deny, .reason = "the rule " + quoted(rule) + " denies it", .rules = {rule}};
        }
        doubtful = doubtful || may_mean(named, words);
    }
    std::string_view danger = detail::danger_of(command, 1);
    for (const std::string& rule : rules.allow) {
        const command_words words = words_of_rule(rule);
        if (begins_with(command, words) && !doubtful) {
            danger = detail::danger_of(command, words.size());
            if (danger.empty()) {
                return {.what = kind::allow};
            }
        }
    }
    const std::string program = quoted(command.front());
    if (doubtful) {
        return {.reason = "it may be a command that a rule denies"};
    }
    shell_judgement asked{.reason = danger.empty() ? "no rule allows " + program : program + " " + std::string(danger)};
    if (const command_words useful = detail::useful_rule(command); !useful.empty()) {
        asked.rules.push_back(detail::join_words(useful));
    }
    return asked;
}

shell_judgement judge_commands(const shell_rules& rules, const std::vector<command_words>& commands) {
    shell_judgement all{.what = kind::allow};
    bool can_be_allowed = true;
    for (const command_words& command : commands) {
        shell_judgement one = judge_command(rules, command);
        if (one.what == kind::deny) {
            return one;
        }
        if (one.what == kind::ask) {
            all.reason = all.what == kind::allow ? std::move(one.reason) : std::move(all.reason);
            all.what = kind::ask;
            can_be_allowed = can_be_allowed && !one.rules.empty();
            for (std::string& rule : one.rules) {
                if (std::find(all.rules.begin(), all.rules.end(), rule) == all.rules.end()) {
                    all.rules.push_back(std::move(rule));
                }
            }
        }
    }
    if (!can_be_allowed) {
        all.rules.clear();
    }
    return all;
}

call_decision decision_of(const shell_judgement& judged) {
    switch (judged.what) {
        case kind::allow: return call_decision::allow();
        case kind::deny: return call_decision::deny(judged.reason + "; do not run such a command in another form, and continue without it");
        default: return call_decision::ask(judged.reason);
    }
}

}  // namespace

shell_judgement shell_rules::judge(std::string_view command) const {
    const detail::command_line line = detail::parse_command_line(command);
    if (!line.obstacle.empty()) {
        return {.reason = "rules do not cover it: it has " + line.obstacle};
    }
    return judge_commands(*this, line.commands);
}

shell_judgement shell_rules::judge(std::span<const std::string> words) const {
    if (words.empty() || words.front().empty()) {
        return {.reason = "it names no program"};
    }
    return judge_commands(*this, {command_words(words.begin(), words.end())});
}

std::vector<call_decision> shell_rules::decide(std::span<const proposed_call> batch) const {
    std::vector<call_decision> decisions;
    for (const proposed_call& call : batch) {
        call_decision& decision = decisions.emplace_back();
        if ((!name.empty() && call.name != name) || call.from != provenance::host || call.origin != "shell") {
            continue;
        }
        const auto command = call.arguments.find("command");
        const auto words = call.arguments.find("argv");
        if (command != call.arguments.end() && command->is_string()) {
            decision = decision_of(judge(*command->get_ptr<const std::string*>()));
        } else if (words != call.arguments.end() && words->is_array()) {
            command_words known;
            for (const json& each : *words) {
                const auto* word = each.get_ptr<const std::string*>();
                known.push_back(word == nullptr ? std::string() : *word);
            }
            decision = decision_of(judge(known));
        } else {
            decision = call_decision::ask("it has no command");
        }
    }
    return decisions;
}

result<void> check_shell_rule(std::string_view rule) {
    const detail::command_line line = detail::parse_command_line(rule);
    const std::string why = !line.obstacle.empty()      ? "it has " + line.obstacle
                            : line.commands.size() != 1 ? "it has an operator"
                                                        : std::string();
    if (why.empty()) {
        return {};
    }
    return failure{.code = errc::invalid_argument,
                   .message = "`" + detail::visible_text(rule) + "` is not a rule: " + why,
                   .hint = "Give a program and the words that follow it, such as `git status`."};
}

std::string visible_command(const json& arguments) {
    if (!arguments.is_object()) {
        return {};
    }
    if (const auto command = arguments.find("command"); command != arguments.end() && command->is_string()) {
        return detail::visible_text(*command->get_ptr<const std::string*>());
    }
    command_words words;
    if (const auto list = arguments.find("argv"); list != arguments.end() && list->is_array()) {
        for (const json& each : *list) {
            if (const auto* word = each.get_ptr<const std::string*>()) {
                words.push_back(*word);
            }
        }
    }
    return detail::visible_text(detail::join_words(words));
}

}  // namespace pyaichat::inline PYAICHAT_ABI
