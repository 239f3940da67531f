#include "assistant/call_approval.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace repl {

namespace {

/// Long enough that what is approved can be read whole, unless somebody wants to hide something in it: then its cut end is seen.
constexpr std::size_t longest_shown_call = 2000;

bool needs_approval(const ai::proposed_call& call) {
    return call.from == ai::provenance::server || (call.from == ai::provenance::file && call.effects != ai::effects::read);
}

std::string reason_for(const ai::proposed_call& call) {
    const std::string what = call.effects == ai::effects::read         ? "it looks"
                             : call.effects == ai::effects::idempotent ? "it changes something"
                                                                       : "it changes something, again each time";
    return what + ", and comes from " + (call.origin.empty() ? "a " + std::string(to_string(call.from)) : call.origin);
}

/// With all its arguments, as they would be passed.
std::string whole_call(const ai::proposed_call& call) {
    return printable(ai::detail::one_row(call.name + " " + ai::dump_json(call.arguments), longest_shown_call));
}

}  // namespace

std::optional<verdict> read_verdict(std::string_view answer) {
    std::string word = ai::detail::one_line(answer, 20);
    std::transform(word.begin(), word.end(), word.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    if (word == "y" || word == "yes") {
        return verdict::yes;
    }
    if (word == "n" || word == "no") {
        return verdict::no;
    }
    if (word == "a" || word == "always") {
        return verdict::always;
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
    return allowed_.contains("all") || allowed_.contains(call.name) || always_.contains({call.name, call.origin});
}

std::optional<verdict> call_approval::ask_about(const ai::pending_call& one) const {
    const std::string why = one.reason.empty() ? reason_for(one.call) : one.reason;
    screen_.aside("· " + whole_call(one.call) + " wants to run: " + printable(ai::detail::one_line(why, 300)));
    for (;;) {
        const entered_line line = ask_("  run it? yes, no, always (in this session): ");
        if (line.what == entered_line::kind::interrupted) {
            return std::nullopt;
        }
        if (line.what == entered_line::kind::closed) {
            return verdict::no;
        }
        if (const auto said = read_verdict(line.text)) {
            return said;
        }
    }
}

std::optional<std::vector<ai::call_ruling>> call_approval::settle(const std::vector<ai::pending_call>& waiting) {
    std::vector<ai::call_ruling> rulings;
    for (const ai::pending_call& one : waiting) {
        ai::call_decision decision = ai::call_decision::allow();
        if (!is_allowed(one.call) && !ask_) {
            screen_.aside("· " + whole_call(one.call) + " needs approval, and nobody can be asked: --allow " + one.call.name +
                          " lets it run");
            decision =
                ai::call_decision::deny("nobody is here who could approve this call, so it was not made; say so, and go on without it");
        } else if (!is_allowed(one.call)) {
            const auto said = ask_about(one);
            if (!said) {
                return std::nullopt;
            }
            if (*said == verdict::no) {
                decision = ai::call_decision::deny("the person does not want this call to be made; do not make it again");
            } else if (*said == verdict::always) {
                always_.emplace(one.call.name, one.call.origin);
            }
        }
        rulings.push_back({.call = one.call.number, .decision = std::move(decision)});
    }
    return rulings;
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
