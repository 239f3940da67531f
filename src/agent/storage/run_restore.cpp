#include "agent/machine/declaration_marks.hpp"
#include "agent/machine/fingerprint.hpp"
#include "agent/machine/run_state.hpp"
#include "agent/storage/failure_json.hpp"
#include "agent/storage/limits_json.hpp"
#include "agent/storage/snapshot_format.hpp"
#include "message/part_json.hpp"

#include <pyaichat/message/stored_conversation.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using stage = detail::open_call::stage;

detail::open_call read_open_call(const detail::json_fields& from) {
    detail::open_call one;
    one.number = static_cast<std::uint64_t>(from.integer("number", 1));
    one.proposed = std::make_shared<const call_part>(detail::read_call(from.object("call")));
    one.at = from.word("stage", stage::invoked);
    one.effects = from.word("effects", effects::once);
    one.from = from.word("from", provenance::server);
    one.origin = from.text("origin");
    one.headline = from.text("headline");
    one.reason = from.text("reason");
    if (from.has("timeout")) {
        one.timeout = from.span("timeout");
    }
    if (from.has("reply")) {
        one.reply = detail::read_reply(from.object("reply"));
    }
    return one;
}

/// The action of the run itself, without its content: `resume` makes that when the declarations are known.
machine_action read_phase(const detail::json_fields& from) {
    const std::string name = from.text("phase");
    for (const auto& [phase, at] :
         std::initializer_list<std::pair<std::string_view, machine_action>>{{"listing", action::list_capabilities{}},
                                                                            {"calling_model", action::call_model{}},
                                                                            {"delaying", action::wait{}},
                                                                            {"asking", action::ask_approval{}},
                                                                            {"awaiting", action::await_approval{}},
                                                                            {"running_call", action::invoke_capability{}},
                                                                            {"finished", action::finished{}}}) {
        if (name == phase) {
            return at;
        }
    }
    from.report("phase", "is a word that this version does not know");
    return action::finished{};
}

/// A time as what was left of it. Bounded, so that a damaged document cannot make the arithmetic overflow.
instant read_time(const detail::json_fields& left, std::string_view key, instant now) {
    constexpr std::int64_t longest_ago = -1'000'000'000'000'000'000;
    return after(now, duration(left.integer(key, longest_ago)));
}

}  // namespace

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

/// What cannot be true of any run: a document that says so is damaged, and the machine must not be led astray by it.
void run_machine::state::check_whole(const detail::json_fields& from) const {
    const auto open = [](const detail::open_call& one) { return !one.reply; };
    const bool any_open = std::any_of(calls.begin(), calls.end(), open);
    const bool asking = is<action::ask_approval>();
    const bool running_one = is<action::invoke_capability>();
    const bool between_calls = asking || is<action::await_approval>() || running_one;
    if (between_calls != any_open) {
        from.report("calls", "does not fit the phase");
    }
    if (running_one && (running >= calls.size() || calls[running].reply || calls[running].at < stage::started)) {
        from.report("running", "is no call that could be running");
    }
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const detail::open_call& one = calls[i];
        if (open(one) && (asking != (one.at == stage::gated) || (one.at >= stage::started && (!running_one || i != running)))) {
            from.report("calls", "has one that was not approved");
        }
        if (one.number <= std::exchange(before, one.number) || one.number > last_call_number) {
            from.report("calls", "are not numbered in their order");
        }
    }
    if (between_calls && !calls_are_those_of_the_last_message()) {
        from.report("calls", "are not those of the last message");
    }
    const bool asks = is<action::call_model>() || is<action::wait>();
    if (!is<action::finished>() &&
        (steps > setup.limits.max_steps || (is<action::list_capabilities>() && steps == setup.limits.max_steps) ||
         (asks && (attempt == 0 || steps == 0)))) {
        from.report("steps", "does not fit the phase");
    }
    if (messages.empty() && !is<action::finished>()) {
        from.report("messages", "is empty");
    }
    if (const result<void> fine = pyaichat::check(setup.limits); !fine && !is<action::finished>()) {
        from.report("limits", "is not possible: " + fine.error().message);
    }
}

result<run_machine> run_machine::restore(const json& snapshot, instant now) {
    detail::document_fault fault;
    const detail::json_fields from(snapshot, {}, fault);
    if (from.integer("format", 1) > detail::snapshot_format) {
        return failure{.code = errc::invalid_argument,
                       .message = "the snapshot was written by a later version (format " + std::to_string(from.integer("format")) +
                                  "; this version reads up to " + std::to_string(detail::snapshot_format) + ")",
                       .hint = "Restore it with the version that wrote it, or a later one."};
    }
    run_setup setup{.run_id = from.text("run_id"),
                    .instructions = from.text("instructions"),
                    .question = from.text("question"),
                    .limits = detail::read_limits(from.object("limits"))};
    if (!detail::read_hexadecimal(from.text("seed"), setup.seed)) {
        from.report("seed", "is no number in 16 hexadecimal digits");
    }
    if (from.has("mode")) {
        setup.mode = from.word("mode", tool_mode::validated);
    }
    auto made = std::make_unique<state>(std::move(setup));
    state& s = *made;
    if (result<conversation> messages = read_conversation(from.value("messages")); messages) {
        s.messages = std::move(*messages);
    } else {
        from.report("messages", messages.error().message);
    }
    s.relisting.emplace();
    const json& marks = from.value("declarations");
    for (auto mark = marks.begin(); marks.is_object() && mark != marks.end(); ++mark) {
        s.relisting->emplace(mark.key(), as_string(mark.value()).value_or(std::string_view()));
    }
    s.current = read_phase(from);
    s.steps = from.count("steps");
    s.invalid_responses = from.count("invalid_responses");
    s.calls_run = from.count("calls_run");
    s.calls_exceeded = from.flag("calls_exceeded");
    s.usage = detail::read_usage(from.object("usage"));
    s.commentary = from.text("commentary");
    s.confirmed.restore(from.object("findings"));
    s.repeats.restore(from, "repeats");
    s.attempt = static_cast<std::uint64_t>(from.integer("attempt"));
    s.retries = from.count("retries");
    s.text_shown = from.flag("text_shown");
    s.thoughts_shown = from.flag("thoughts_shown");
    from.each("calls", [&](const detail::json_fields& one) { s.calls.push_back(read_open_call(one)); });
    s.running = static_cast<std::size_t>(from.integer("running"));
    s.last_call_number = static_cast<std::uint64_t>(from.integer("last_call_number"));
    s.events_before = static_cast<std::uint64_t>(from.integer("events"));
    const detail::json_fields left = from.object("remaining");
    s.total_deadline = read_time(left, "total", now);
    s.step_deadline = read_time(left, "step", now);
    s.delayed_until = read_time(left, "delay", now);
    s.call_deadline = read_time(left, "call", now);
    s.call_started_at = read_time(left, "call_started", now);
    if (s.running < s.calls.size()) {
        s.calls[s.running].started_at = s.call_started_at;
    }
    s.paused_at = now;
    s.check_whole(from);
    if (s.is<action::finished>()) {
        const detail::json_fields told = from.object("answer");
        action::finished done;
        done.answer = s.state_of_things(told.word("reason", stop_reason::misconfigured), told.text("text"));
        if (told.has("error")) {
            done.answer.error = detail::read_failure(told.object("error"));
        }
        s.current = std::move(done);
        s.relisting.reset();
    } else if (s.is<action::list_capabilities>()) {
        s.relisting.reset();
    }
    if (fault.found()) {
        return failure{.code = errc::bad_response,
                       .message = "the snapshot cannot be read: " + fault.text(),
                       .hint = "Give back what `snapshot` wrote, unchanged."};
    }
    return run_machine(std::move(made));
}

/// The declarations are known again: what the run was about to do is done now.
void run_machine::state::resume(instant now) {
    const std::map<std::string, std::string> before = std::move(*relisting);
    relisting.reset();
    const auto as_before = [&](const std::string& name) {
        const capability_spec* spec = declared.find(name);
        const auto mark = before.find(name);
        return spec != nullptr && mark != before.end() && mark->second == detail::mark_of(*spec);
    };
    const auto changed = [](const std::string& name) {
        return reply_error(reply_code::denied, "`" + name + "` was declared anew while this run was away; look at it, and call it again");
    };
    for (detail::open_call& one : calls) {
        if (one.reply || one.at >= stage::started) {
            continue;
        }
        // What was decided about a call was decided about what it would have done then.
        if (!as_before(one.proposed->name) || !declared.validate(one.proposed->name, one.proposed->arguments).empty()) {
            --calls_run;
            deny(one, changed(one.proposed->name), now);
            continue;
        }
        // And what it does is what its declaration says, not a document.
        const capability_spec& spec = *declared.find(one.proposed->name);
        one.effects = spec.effects;
        one.from = spec.from;
        one.origin = spec.origin;
        one.timeout = spec.timeout;
    }
    if (is<action::call_model>()) {
        withdraw("the run was restored", now);
        --attempt;  // it is the same attempt, made again
        start_attempt(now);
    } else if (is<action::wait>()) {
        become(action::wait{.until = delayed_until});
    } else if (is<action::ask_approval>()) {
        ask_approval(now);
    } else if (is<action::await_approval>()) {
        on(input::decisions{}, now);
    } else if (is<action::invoke_capability>()) {
        detail::open_call& one = calls[running];
        if (one.at == stage::invoked && one.effects == effects::once) {
            finish_call(one,
                        reply_error(reply_code::in_doubt,
                                    "the program ended while this call was running, so whether it had its effect is not known; "
                                    "find out before you make it again"),
                        now);
        } else if (!as_before(one.proposed->name) || !declared.validate(one.proposed->name, one.proposed->arguments).empty()) {
            finish_call(one, changed(one.proposed->name), now);
        } else {
            order(one, now);
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
