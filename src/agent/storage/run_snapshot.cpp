#include "agent/machine/declaration_marks.hpp"
#include "agent/machine/fingerprint.hpp"
#include "agent/machine/run_state.hpp"
#include "agent/storage/failure_json.hpp"
#include "agent/storage/limits_json.hpp"
#include "agent/storage/snapshot_format.hpp"
#include "message/part_json.hpp"

#include <pyaichat/message/stored_conversation.hpp>

#include <array>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// The name of a phase in snapshots: that of the action of the run itself.
std::string_view phase_of(const machine_action& current) noexcept {
    constexpr std::array<std::string_view, std::variant_size_v<machine_action>> names{
        "listing", "calling_model", "asking", "awaiting", "running_call", {}, {}, "delaying", "finished", "finished"};
    return names[current.index()];
}

json written(const detail::open_call& one) {
    json out = json::object();
    out["number"] = one.number;
    out["call"] = detail::written(*one.proposed);
    out["stage"] = std::string(to_string(one.at));
    out["effects"] = std::string(to_string(one.effects));
    out["from"] = std::string(to_string(one.from));
    out["origin"] = one.origin;
    out["headline"] = one.headline;
    out["reason"] = one.reason;
    if (one.timeout) {
        out["timeout"] = one.timeout->count();
    }
    if (one.reply) {
        out["reply"] = detail::written(*one.reply);
    }
    return out;
}

}  // namespace

json run_machine::snapshot(instant now) const {
    const state& s = *state_;
    const auto remaining = [&](instant until) { return until == instant::max() ? duration::max().count() : (until - now).count(); };
    json out = json::object();
    out["format"] = detail::snapshot_format;
    out["run_id"] = s.setup.run_id;
    out["seed"] = detail::hexadecimal(s.setup.seed);
    out["instructions"] = s.setup.instructions;
    out["question"] = s.setup.question;
    out["limits"] = detail::written(s.setup.limits);
    out["mode"] = std::string(to_string(s.setup.mode));
    out["messages"] = stored(s.messages);
    const bool relied_on = !s.is<action::list_capabilities>() && !s.has_ended();
    out["declarations"] = json(s.relisting ? *s.relisting : detail::marks_of(relied_on ? s.declared : capability_list()));
    out["phase"] = std::string(phase_of(s.current));
    out["steps"] = s.steps;
    out["invalid_responses"] = s.invalid_responses;
    out["calls_run"] = s.calls_run;
    out["calls_exceeded"] = s.calls_exceeded;
    out["usage"] = detail::written(s.usage);
    out["commentary"] = s.commentary;
    out["findings"] = s.confirmed.snapshot(s.happened());
    out["repeats"] = s.repeats.snapshot();
    out["attempt"] = s.attempt;
    out["retries"] = s.retries;
    out["text_shown"] = s.text_shown;
    out["thoughts_shown"] = s.thoughts_shown;
    out["calls"] = json::array();
    for (const detail::open_call& one : s.calls) {
        out["calls"].push_back(written(one));
    }
    out["running"] = s.running;
    out["last_call_number"] = s.last_call_number;
    out["events"] = s.events_before + s.events_taken;
    json& left = out["remaining"] = json::object();
    left["total"] = s.is<action::await_approval>() ? (s.total_deadline - s.paused_at).count() : remaining(s.total_deadline);
    left["step"] = remaining(s.step_deadline);
    left["delay"] = remaining(s.delayed_until);
    left["call"] = remaining(s.call_deadline);
    left["call_started"] = remaining(s.call_started_at);
    if (const answer* last = s.last_answer()) {
        out["answer"]["text"] = last->text;
        out["answer"]["reason"] = std::string(to_string(last->reason));
        if (last->error) {
            out["answer"]["error"] = detail::written(*last->error);
        }
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
