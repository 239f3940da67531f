#include "agent/machine/run_state.hpp"
#include "agent/machine/shorten_reply.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {
using stage = detail::open_call::stage;
}  // namespace

std::string_view detail::to_string(stage value) noexcept {
    switch (value) {
        case stage::gated: return "gated";
        case stage::pending: return "pending";
        case stage::allowed: return "allowed";
        case stage::started: return "started";
        case stage::invoked: return "invoked";
    }
    return "unknown";
}

void run_machine::state::run_next_call(instant now) {
    for (; running < calls.size(); ++running) {
        detail::open_call& next = calls[running];
        if (next.reply) {
            continue;
        }
        if (now >= total_deadline) {
            finish_at_limit(stop_reason::total_timeout, now);
            return;
        }
        if (next.at == stage::pending) {
            await_approval(now);
            return;
        }
        const auto ruling = repeats.before(*next.proposed);
        if (ruling == detail::repeat_guard::ruling::run) {
            next.at = stage::started;
            call_started_at = now;
            call_deadline = std::min(after(now, next.timeout.value_or(setup.limits.call_timeout)), total_deadline);
            emit(call_started{.step = steps, .call = next.number, .name = next.proposed->name, .arguments = next.proposed->arguments}, now);
            begin(next, now);
            return;
        }
        if (ruling == detail::repeat_guard::ruling::end) {
            finish_at_limit(stop_reason::repeating, now);
            return;
        }
        deny(next, repeats.refusal(), now);
    }
    reply_to_calls(now);
}

void run_machine::state::begin(detail::open_call& one, instant now) {
    at = phase::running_call;
    call_begun_at = now;
    current = action::invoke_capability{.call = one.number, .deadline = call_deadline};
}

capability_call run_machine::invocation() const {
    PYAICHAT_ASSERT(state_->at == state::phase::running_call, "there is a call to run when the machine orders one");
    return state_->invocation(state_->calls[state_->running], state_->call_begun_at);
}

capability_call run_machine::state::invocation(const detail::open_call& one, instant begun) const {
    capability_call call;
    call.run_id = setup.run_id;
    call.step = steps;
    call.number = one.number;
    call.id = one.proposed->id;
    call.name = one.proposed->name;
    call.arguments = one.proposed->arguments;
    call.deadline = call_deadline;
    call.time_left = call_deadline - begun;
    return call;
}

void run_machine::state::finish_call(capability_reply reply, instant now) {
    close_nested(now);
    detail::open_call& one = calls[running];
    repeats.after(*one.proposed, reply);
    detail::shorten_reply(reply, setup.limits.max_reply_bytes);
    if (reply.ok()) {
        confirmed.add(events.size(), one.headline);
    }
    ended(one, std::move(reply), now);
    run_next_call(now);
}

void run_machine::state::ended(detail::open_call& one, capability_reply reply, instant now) {
    emit(call_finished{.step = steps,
                       .call = one.number,
                       .name = one.proposed->name,
                       .arguments = one.proposed->arguments,
                       .reply = reply,
                       .took = now - call_started_at},
         now);
    one.reply = std::move(reply);
}

/// The reply to a call that was open when the run ended.
void run_machine::state::close(detail::open_call& one, stop_reason reason, instant now) {
    capability_reply reply =
        reason == stop_reason::total_timeout
            ? reply_error(reply_code::timeout, "the run reached its time limit")
            : reply_error(reply_code::cancelled, "the run ended before this call did (" + std::string(to_string(reason)) + ")");
    if (one.at < stage::started) {
        deny(one, std::move(reply), now);
        return;
    }
    close_nested(now);
    ended(one, std::move(reply), now);
}

message detail::replies_to(std::vector<open_call> calls) {
    message made;
    for (open_call& one : calls) {
        if (!one.reply) {
            one.reply = reply_error(reply_code::cancelled, "nobody has decided yet whether this call may run");
        }
        made.parts.push_back(
            response_part{.id = one.proposed->id, .name = one.proposed->name, .response = std::move(*one.reply).envelope()});
    }
    return made;
}

void run_machine::state::reply_to_calls(instant now) {
    messages.push_back(detail::replies_to(std::exchange(calls, {})));
    emit(step_finished{.step = steps}, now);
    begin_step(now);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
