#include "agent/machine/declaration_marks.hpp"
#include "agent/machine/fingerprint.hpp"
#include "agent/storage/stored_run.hpp"

namespace pyaichat::inline PYAICHAT_ABI {

json run_machine::snapshot(instant now) const {
    const state& s = *state_;
    const auto remaining = [&](instant until) { return until == instant::max() ? duration::max() : until - now; };
    const bool relied_on = s.at != state::phase::listing && s.at != state::phase::finished;
    detail::stored_run run{
        .run_id = s.setup.run_id,
        .seed = detail::hexadecimal(s.setup.seed),
        .instructions = s.setup.instructions,
        .question = s.setup.question,
        .limits = s.setup.limits,
        .mode = s.setup.mode,
        .messages = s.messages,
        .declarations = s.relisting ? *s.relisting : detail::marks_of(relied_on ? s.declared : capability_list()),
        .phase = std::string(to_string(s.at)),
        .steps = s.steps,
        .invalid_responses = s.invalid_responses,
        .calls_run = s.calls_run,
        .calls_exceeded = s.calls_exceeded,
        .usage = s.usage,
        .commentary = s.commentary,
        .findings = s.confirmed.snapshot(s.happened()),
        .repeats = s.repeats.snapshot(),
        .attempt = s.attempt,
        .retries = s.retries,
        .text_shown = s.text_shown,
        .thoughts_shown = s.thoughts_shown,
        .running = s.running,
        .last_call_number = s.last_call_number,
        .events = s.events_before + s.events_taken,
        .remaining = {.total = s.at == state::phase::awaiting ? s.total_deadline - s.paused_at : remaining(s.total_deadline),
                      .step = remaining(s.step_deadline),
                      .delay = remaining(s.delayed_until),
                      .call = remaining(s.call_deadline),
                      .call_started = remaining(s.call_started_at)},
    };
    for (const detail::open_call& one : s.calls) {
        run.calls.push_back({.number = one.number,
                             .call = *one.proposed,
                             .stage = one.at,
                             .effects = one.effects,
                             .from = one.from,
                             .origin = one.origin,
                             .headline = one.headline,
                             .reason = one.reason,
                             .timeout = one.timeout,
                             .reply = one.reply});
    }
    if (const auto* done = std::get_if<action::finished>(&s.current)) {
        run.answer = {.text = done->answer.text, .reason = done->answer.reason, .error = done->answer.error};
    }
    return detail::written(run);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
