#include "agent/machine/declaration_marks.hpp"
#include "agent/machine/run_state.hpp"

#include <pyaichat/message/history.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

using stage = detail::open_call::stage;

/// Replies are sent in the order of the calls of the last message, with their ids, so both must be the same calls.
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
    const auto open = [](const detail::open_call& call) { return !call.reply; };
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
    if (in_call && (running >= calls.size() || !calls[running].is_in_flight())) {
        return "`/running` is not the index of a running call";
    }
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const detail::open_call& call = calls[i];
        // The policies were asked about every call; they are asked again only about arguments that a person has changed.
        const bool unasked = !asking && call.at == stage::gated && !call.by_person;
        const bool beside = i > running && setup.limits.parallel_reads > 1;
        if (open(call) && (unasked || (call.is_in_flight() && (!in_call || (i != running && !beside))))) {
            return "`/calls` contain a call that was not approved";
        }
        if (call.number <= std::exchange(before, call.number) || call.number > last_call_number) {
            return "the numbers of `/calls` are not in order";
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
    conversation sent = messages;
    if (between_calls) {
        sent.push_back(detail::replies_to(calls));
    }
    if (const std::vector<std::string> faults = check_history(sent); !faults.empty()) {
        return "no provider accepts its messages: " + faults.front();
    }
    if (const answer* last = last_answer(); last != nullptr && last->value && !typed->fits(*last->value)) {
        return "`/answer/value` does not satisfy the schema of the answer";
    }
    if (const result<void> valid = pyaichat::check(setup.limits); !valid && !finished) {
        return "`/limits` are invalid: " + valid.error().message;
    }
    return {};
}

/// Continues a restored run, after its sources have listed their declarations again.
void run_machine::state::resume(bool after_crash, instant now) {
    const std::map<std::string, std::string> before = std::move(*relisting);
    relisting.reset();
    const auto as_before = [&](const std::string& name) {
        const capability_spec* spec = declared.find(name);
        const auto mark = before.find(name);
        return spec != nullptr && mark != before.end() && detail::is_mark_of(mark->second, *spec);
    };
    for (detail::open_call& call : calls) {
        if (call.reply || call.at >= stage::started) {
            continue;
        }
        // The decision was made for the old declaration. If that has not changed, it is trusted, not the snapshot.
        if (!as_before(call.proposed->name) || misfit(call)) {
            refuse(call, detail::changed_since(call.proposed->name), now);
            continue;
        }
        if (call.decided) {
            apply(call, *std::exchange(call.decided, std::nullopt), now);
        }
    }
    if (is<action::call_model>() && after_crash) {
        withdraw("the run was restored", now);
        begin_step(now);  // counts as a step, so repeated crashes cannot repeat the model call forever
    } else if (is<action::call_model>()) {
        withdraw("the run was restored", now);
        --attempt;  // the same attempt is made again
        start_attempt(now);
    } else if (is<action::wait>()) {
        become(action::wait{.until = delayed_until});
    } else if (is<action::ask_approval>()) {
        run_next_call(now);
    } else if (is<action::await_approval>()) {
        go_on_after_approval(now);
    } else if (is<action::invoke_capability>()) {
        // Calls that must not be repeated, or have changed, are ended; `read` calls beside the running one are made again after it.
        std::vector<std::pair<std::uint64_t, capability_reply>> over;
        for (detail::open_call& call : calls) {
            if (!call.is_in_flight()) {
                continue;
            }
            call.was_started = &call != &calls[running];
            if (call.at == stage::invoked && call.effects == effects::once) {
                over.emplace_back(call.number, cut_off(call, reply_code::cancelled, "the program ended while this call was running"));
            } else if (!as_before(call.proposed->name) || !declared.validate(call.proposed->name, call.proposed->arguments).empty()) {
                over.emplace_back(call.number, detail::changed_since(call.proposed->name));
            } else if (call.was_started) {
                call.at = stage::allowed;
            } else {
                call.at = stage::started;
                order(call, now);
            }
        }
        for (auto& [number, reply] : over) {
            finish_call(*running_call(number), std::move(reply), now);
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
