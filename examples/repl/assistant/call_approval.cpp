#include "assistant/call_approval.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace repl {

namespace {

/// Long enough to show every normal call completely; the cut of a longer call is visible.
constexpr std::size_t max_shown_call = 2000;

bool needs_approval(const ai::proposed_call& call) {
    return call.from == ai::provenance::server || (call.from == ai::provenance::file && call.effects != ai::effects::read);
}

std::string reason_for(const ai::proposed_call& call) {
    const std::string what = call.effects == ai::effects::read         ? "it looks"
                             : call.effects == ai::effects::idempotent ? "it changes something"
                                                                       : "it changes something, again each time";
    return what + ", and comes from " + (call.origin.empty() ? "a " + std::string(to_string(call.from)) : call.origin);
}

std::string whole_call(const ai::proposed_call& call) {
    return printable(ai::detail::one_row(call.name + " " + ai::dump_json(call.arguments), max_shown_call));
}

}  // namespace

std::optional<person_choice> read_choice(std::string_view answer) {
    std::string word = ai::detail::one_line(answer, 20);
    std::transform(word.begin(), word.end(), word.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (word == "y" || word == "yes") {
        return person_choice::yes;
    }
    if (word == "n" || word == "no") {
        return person_choice::no;
    }
    if (word == "a" || word == "always") {
        return person_choice::always;
    }
    return std::nullopt;
}

ai::call_decision call_approval::decide(const ai::proposed_call& call) const {
    if (!needs_approval(call)) {
        return {};
    }
    return is_allowed(call) ? ai::call_decision::allow() : ai::call_decision::ask(reason_for(call));
}

bool call_approval::is_allowed(const ai::proposed_call& call) const {
    return allowed_.contains("all") || allowed_.contains(call.name) || always_.contains({call.name, call.origin}) ||
           (is_command(call) && shell_->allows(call));
}

std::optional<person_choice> call_approval::ask_about(const ai::pending_call& pending) const {
    const std::string reason = pending.reason.empty() ? reason_for(pending.call) : pending.reason;
    const bool command = is_command(pending.call);
    const std::vector<std::string> rules = command ? shell_->rules_for(pending.call) : std::vector<std::string>();
    // The reason has the whole command: it is not cut.
    screen_.notice("· " + (command ? pending.call.name + " asks: " + printable(reason)
                                   : whole_call(pending.call) + " wants to run: " + printable(ai::detail::one_line(reason, 300))));
    const bool has_always = !command || !rules.empty();
    const std::string prompt =
        "  run it? yes, no" +
        (has_always ? ", always " + (command ? say_rules(rules) + " " : "") + "(in this session): " : std::string(": "));
    for (;;) {
        const entry line = ask_(prompt);
        if (line.what == entry::kind::interrupted) {
            return std::nullopt;
        }
        if (line.what == entry::kind::closed) {
            return person_choice::no;
        }
        if (const auto choice = read_choice(line.text); choice && (has_always || *choice != person_choice::always)) {
            return choice;
        }
    }
}

void call_approval::allow_always(const ai::proposed_call& call) {
    if (!is_command(call)) {
        always_.emplace(call.name, call.origin);
        return;
    }
    const std::vector<std::string> rules = shell_->rules_for(call);
    shell_->allow(rules);
    screen_.notice("  " + say_rules(rules) + " runs without asking in this session; /shell forget takes it back");
}

std::optional<std::vector<ai::call_ruling>> call_approval::settle(const std::vector<ai::pending_call>& calls) {
    std::vector<ai::call_ruling> decisions;
    for (const ai::pending_call& pending : calls) {
        ai::call_decision decision = ai::call_decision::allow();
        if (!is_allowed(pending.call) && !ask_) {
            screen_.notice("· " + whole_call(pending.call) + " needs approval, but there is no terminal to ask at. Use --allow " +
                           pending.call.name + " to allow it.");
            decision =
                ai::call_decision::deny("nobody is available to approve this call, so it was not run; say so and continue without it");
        } else if (!is_allowed(pending.call)) {
            const auto choice = ask_about(pending);
            if (!choice) {
                return std::nullopt;
            }
            if (*choice == person_choice::no) {
                decision = ai::call_decision::deny("the person has refused this call; do not make it again");
            } else if (*choice == person_choice::always) {
                allow_always(pending.call);
            }
        }
        decisions.push_back({.call = pending.call.number, .decision = std::move(decision)});
    }
    return decisions;
}

std::optional<std::string> refuse_unknown(const std::vector<std::string>& allow, const std::vector<std::string>& capabilities) {
    for (const std::string& name : allow) {
        if (name == "all" || std::find(capabilities.begin(), capabilities.end(), name) != capabilities.end()) {
            continue;
        }
        std::vector<std::string> candidates = capabilities;
        candidates.emplace_back("all");
        const std::string_view nearest = ai::detail::nearest_name(name, candidates);
        return "--allow: there is no capability " + printable(name) +
               (nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?");
    }
    return std::nullopt;
}

}  // namespace repl
