#include "agent/machine/declaration_marks.hpp"
#include "agent/machine/run_state.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

using stage = detail::open_call::stage;

/// Replies go back in the order of the calls, with their ids.
bool run_machine::state::calls_are_those_of_the_last_message() const {
    if (messages.empty()) {
        return false;
    }
    std::size_t matched = 0;
    for (const part& piece : messages.back().parts) {
        if (const auto* call = piece.as<call_part>()) {
            if (matched == calls.size() || calls[matched].proposed->id != call->id || calls[matched].proposed->name != call->name) {
                return false;
            }
            ++matched;
        }
    }
    return matched == calls.size();
}

std::string run_machine::state::contradiction() const {
    const auto open = [](const detail::open_call& one) { return !one.reply; };
    const bool any_open = std::any_of(calls.begin(), calls.end(), open);
    const bool asking = is<action::ask_approval>();
    const bool in_call = is<action::invoke_capability>();
    const bool between_calls = asking || in_call || is<action::await_approval>();
    if (is<action::collect_notes>()) {
        return "`/answer` does not fit the phase";
    }
    if (between_calls != any_open) {
        return "`/calls` do not fit the phase";
    }
    if (in_call && (running >= calls.size() || calls[running].reply || calls[running].at < stage::started)) {
        return "`/running` is not a call that could be running";
    }
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const detail::open_call& one = calls[i];
        // Only arguments that a person has changed are shown to the others after all calls were.
        const bool unasked = !asking && one.at == stage::gated && !one.by_person;
        if (open(one) && (unasked || (one.at >= stage::started && (!in_call || i != running)))) {
            return "`/calls` have one that was not approved";
        }
        if (one.number <= std::exchange(before, one.number) || one.number > last_call_number) {
            return "`/calls` are not numbered in their order";
        }
    }
    if (between_calls && !calls_are_those_of_the_last_message()) {
        return "`/calls` are not those of the last message";
    }
    const bool asks = is<action::call_model>() || is<action::wait>();
    const bool finished = is<action::finished>();
    if (!finished && (steps > setup.limits.max_steps || (is<action::list_capabilities>() && steps == setup.limits.max_steps) ||
                      (asks && (attempt == 0 || steps == 0)))) {
        return "`/steps` do not fit the phase";
    }
    if (std::min({steps, invalid_responses, calls_run, retries, recoveries}) < 0) {
        return "`/steps`, `/invalid_responses`, `/calls_run`, `/retries` or `/recoveries` is negative";
    }
    if (messages.empty() && !finished) {
        return "`/messages` are missing";
    }
    if (const result<void> fine = pyaichat::check(setup.limits); !fine && !finished) {
        return "`/limits` are not possible: " + fine.error().message;
    }
    return {};
}

/// The declarations are known again: what the run was about to do is done now.
void run_machine::state::resume(bool after_crash, instant now) {
    const std::map<std::string, std::string> before = std::move(*relisting);
    relisting.reset();
    const auto as_before = [&](const std::string& name) {
        const capability_spec* spec = declared.find(name);
        const auto mark = before.find(name);
        return spec != nullptr && mark != before.end() && detail::is_mark_of(mark->second, *spec);
    };
    for (detail::open_call& one : calls) {
        if (one.reply || one.at >= stage::started) {
            continue;
        }
        // What was decided about a call was decided about what it would have done then.
        if (!as_before(one.proposed->name) || !declared.validate(one.proposed->name, one.proposed->arguments).empty()) {
            --calls_run;
            deny(one, detail::changed_since(one.proposed->name), now);
            continue;
        }
        // And what it does is what its declaration says, not a document.
        const capability_spec& spec = *declared.find(one.proposed->name);
        one.effects = spec.effects;
        one.from = spec.from;
        one.origin = spec.origin;
        one.timeout = spec.timeout;
        if (one.decided) {
            apply(one, *std::exchange(one.decided, std::nullopt), now);
        }
    }
    if (is<action::call_model>() && after_crash) {
        withdraw("the run was restored", now);
        begin_step(now);  // a model call that is made again is a step, so that no crash makes it for ever
    } else if (is<action::call_model>()) {
        withdraw("the run was restored", now);
        --attempt;  // it is the same attempt, made again
        start_attempt(now);
    } else if (is<action::wait>()) {
        become(action::wait{.until = delayed_until});
    } else if (is<action::ask_approval>()) {
        run_next_call(now);
    } else if (is<action::await_approval>()) {
        go_on_after_approval(now);
    } else if (is<action::invoke_capability>()) {
        detail::open_call& one = calls[running];
        if (one.at == stage::invoked && one.effects == effects::once) {
            finish_call(one, cut_off(one, reply_code::cancelled, "the program ended while this call was running"), now);
        } else if (!as_before(one.proposed->name) || !declared.validate(one.proposed->name, one.proposed->arguments).empty()) {
            finish_call(one, detail::changed_since(one.proposed->name), now);
        } else {
            one.at = stage::started;
            order(one, now);
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
