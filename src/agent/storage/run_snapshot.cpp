#include "agent/machine/declaration_marks.hpp"
#include "agent/machine/run_state.hpp"
#include "agent/storage/setup_form.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// Incremented when older versions cannot read the new format. tests/unit/agent/golden/ has a snapshot of each format.
constexpr int snapshot_format = 4;

/// Returns the format of a snapshot. Runs whose answer has no schema keep the format before.
int snapshot_format_of(const run_setup& setup) {
    return setup.answer_schema.is_null() ? 3 : snapshot_format;
}

/// Deadlines are stored as the time that is left.
struct time_left {
    duration total = {};
    duration step = {};
    duration delay = {};
    duration call = {};
    duration call_started = {};
    std::optional<duration> approval = {};
};
struct kept_answer {
    std::string text = {};
    stop_reason reason = stop_reason::misconfigured;
    std::optional<failure> error = {};
    std::optional<json> value = {};
};

/// The current action of the run, by its name in a snapshot.
enum class phase : unsigned char { listing, calling_model, delaying, asking, awaiting, running_call, finished };

[[nodiscard]] std::string_view to_string(phase value) noexcept {
    return detail::word_of(value);
}

[[nodiscard]] phase phase_of(const machine_action& current) noexcept {
    constexpr std::array<phase, std::variant_size_v<machine_action>> phases{
        phase::listing,      phase::calling_model, phase::asking,   phase::awaiting, phase::running_call,
        phase::running_call, phase::running_call,  phase::delaying, phase::finished, phase::finished};
    return phases[current.index()];
}

/// Returns the action without its content, which `resume` adds when the declarations are known. `finished` is set with the answer.
[[nodiscard]] machine_action action_of(phase value) {
    switch (value) {
        case phase::listing: return action::list_capabilities{};
        case phase::calling_model: return action::call_model{};
        case phase::delaying: return action::wait{};
        case phase::asking: return action::ask_approval{};
        case phase::awaiting: return action::await_approval{};
        case phase::running_call: return action::invoke_capability{};
        case phase::finished: break;
    }
    return action::collect_notes{};
}

}  // namespace

template <>
struct detail::stored_members<detail::open_call> {
    static void members(auto& call, auto& member) {
        member("number", call.number);
        converted(
            member, "call", [&] { return *call.proposed; },
            [&](auto proposed) { call.proposed = std::make_shared<const call_part>(std::move(proposed)); });
        member("stage", call.at);
        member("effects", call.effects);
        member("from", call.from);
        member("origin", call.origin);
        member("headline", call.headline);
        member("reason", call.reason);
        unless_default(member, "rounds", call.rounds);
        unless_default(member, "by_person", call.by_person);
        unless_default(member, "was_started", call.was_started);
        member("decided", call.decided);
        member("timeout", call.timeout);
        member("reply", call.reply);
    }
};

namespace {

/// Reads or writes the members of a snapshot: with `setup_members`, its format. Members that earlier formats lack are optional.
void snapshot_members(auto& s, auto& member, instant now) {
    using detail::converted;
    converted(member, "format", [&] { return snapshot_format_of(s.setup); }, [](int) {});
    member("messages", s.messages);
    converted(member, "phase", [&] { return phase_of(s.current); }, [&](auto at) { s.current = action_of(at); });
    converted(
        member, "declarations",
        [&] {
            const phase at = phase_of(s.current);
            const bool relied_on = at != phase::listing && at != phase::finished;
            return s.relisting ? *s.relisting : detail::marks_of(relied_on ? s.declared : capability_list());
        },
        [&](auto marks) { s.relisting = std::move(marks); });
    member("steps", s.steps);
    member("invalid_responses", s.invalid_responses);
    member("calls_run", s.calls_run);
    member("calls_exceeded", s.calls_exceeded);
    unless_default(member, "recoveries", s.recoveries);
    unless_default(member, "recovered", s.recovered);
    unless_default(member, "answered_by_text", s.answered_by_text);
    member("usage", s.usage);
    unless_default(member, "image_bytes", s.image_bytes);
    member("commentary", s.commentary);
    converted(member, "findings", [&] { return s.confirmed.snapshot(s.happened()); }, [&](auto kept) { s.confirmed.restore(kept); });
    converted(
        member, "repeats", [&] { return s.repeats.snapshot(); },
        [&](auto kept) {
            if (!s.repeats.restore(kept)) {
                member.refuse({"/repeats", "type", "contain an invalid count or fingerprint"});
            }
        });
    member("attempt", s.attempt);
    member("retries", s.retries);
    member("text_shown", s.text_shown);
    member("thoughts_shown", s.thoughts_shown);
    member("calls", s.calls);
    member("running", s.running);
    member("last_call_number", s.last_call_number);
    converted(
        member, "cost", [&] { return s.total_cost(); },
        [&](auto kept) {
            s.cost = kept;
            const bool has_responses = s.steps > 1 || s.invalid_responses > 0 || s.last_call_number > 0;
            s.unpriced = !kept && has_responses;  // earlier formats too
        });
    converted(member, "events", [&] { return s.events_before + s.events_taken; }, [&](auto number) { s.events_before = number; });
    converted(
        member, "remaining",
        [&] {
            const auto left = [&](instant until) { return until == instant::max() ? duration::max() : until - now; };
            return time_left{.total = phase_of(s.current) == phase::awaiting ? s.total_deadline - s.paused_at : left(s.total_deadline),
                             .step = left(s.step_deadline),
                             .delay = left(s.delayed_until),
                             .call = phase_of(s.current) == phase::running_call ? left(s.calls[s.running].deadline) : duration::zero(),
                             .call_started = left(s.call_started_at),
                             .approval = phase_of(s.current) == phase::awaiting && s.approval_deadline != instant::max()
                                             ? std::optional(s.approval_deadline - now)
                                             : std::nullopt};
        },
        [&](const auto& left) {
            s.total_deadline = after(now, left.total);
            s.step_deadline = after(now, left.step);
            s.delayed_until = after(now, left.delay);
            s.call_started_at = after(now, left.call_started);
            s.paused_at = now;
            s.approval_deadline = left.approval ? after(now, *left.approval) : instant::max();
            if (s.running < s.calls.size()) {
                s.calls[s.running].started_at = s.call_started_at;
                s.calls[s.running].deadline = after(now, left.call);
            }
        });
    converted(
        member, "answer",
        [&] {
            const answer* last = s.last_answer();
            return last == nullptr ? std::nullopt : std::optional(kept_answer{last->text, last->reason, last->error, last->value});
        },
        [&](auto kept) {
            if (kept && !s.has_ended()) {
                s.current = action::collect_notes{};  // an answer, but the run has not ended: `contradiction` rejects it
            } else if (kept) {
                action::finished done{.answer = s.state_of_things(kept->reason, std::move(kept->text))};
                done.answer.error = std::move(kept->error);
                if (s.typed && kept->reason == stop_reason::complete) {
                    done.answer.value = kept->value ? std::move(kept->value) : json();  // a stored null is read as none
                }
                s.current = std::move(done);
            }
        });
}

}  // namespace

json run_machine::snapshot(instant now) const {
    json document = json::object();
    failure none;
    detail::member_writer<detail::stored_form> writer{document, none};
    detail::setup_members(state_->setup, writer);
    snapshot_members(*state_, writer, now);
    return document;
}

result<run_machine> run_machine::restore(const json& snapshot, instant now) {
    if (const auto format = integer_member(snapshot, "format"); format > snapshot_format) {
        return failure{.code = errc::invalid_argument,
                       .message = "the snapshot was written by a later version (format " + std::to_string(*format) +
                                  "; this version reads up to " + std::to_string(snapshot_format) + ")",
                       .hint = "Restore it with the version that wrote it, or a later one."};
    }
    schema_error error;
    detail::member_reader<detail::stored_form> reader{snapshot, error};
    run_setup setup;
    detail::setup_members(setup, reader);
    auto restored = std::make_unique<state>(std::move(setup));
    if (!restored->setup.answer_schema.is_null()) {
        result<detail::answer_schema> schema = detail::answer_schema::of(restored->setup.answer_schema);
        if (schema) {
            restored->typed = std::move(*schema);
        } else {
            reader.refuse({"/answer_schema", "type", "cannot be used: " + schema.error().message});
        }
    }
    snapshot_members(*restored, reader, now);
    const std::string damage = reader.fits ? restored->contradiction() : detail::in_words(error);
    if (!damage.empty()) {
        return failure{.code = errc::bad_response,
                       .message = "the snapshot cannot be read: " + damage,
                       .hint = "Pass the JSON that `snapshot` returned, unchanged."};
    }
    if (restored->is<action::finished>() || restored->is<action::list_capabilities>()) {
        restored->relisting.reset();
    }
    return run_machine(std::move(restored));
}

}  // namespace pyaichat::inline PYAICHAT_ABI
