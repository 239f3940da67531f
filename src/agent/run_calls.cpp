#include "agent/run_state.hpp"
#include "agent/shorten_reply.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline v0 {

namespace {

capability_reply unknown_function(const std::string& name, const declarations& declared) {
    std::vector<std::string> names;
    for (const capability_spec& spec : declared) {
        names.push_back(spec.name);
    }
    const std::string_view nearest = nearest_name(name, names);
    json details = json::object();
    std::string text = "there is no function `" + one_line(name, 80) + "`";
    if (!nearest.empty()) {
        details["nearest"] = std::string(nearest);
        text += "; did you mean `" + std::string(nearest) + "`?";
    }
    return reply_error(reply_code::unknown_function, std::move(text), std::move(details));
}

}  // namespace

void run_machine::state::on_calls(const candidate& chosen, instant now) {
    keep(chosen.content);
    calls.clear();
    calls_proposed proposed{.step = steps};
    for (const part& piece : chosen.content.parts) {
        if (const auto* call = piece.as<call_part>()) {
            proposed.calls.push_back(*call);
            calls.push_back({.proposed = *call, .number = ++last_call_number});
        }
    }
    emit(std::move(proposed), now);
    if (calls_exceeded) {
        running = 0;
        finish_at_limit(stop_reason::max_calls, now);
        return;
    }
    int proposed_in_step = 0;
    for (detail::open_call& one : calls) {
        // First, so that a response with very many calls costs little, whatever they are.
        if (++proposed_in_step > setup.limits.max_calls_per_step) {
            one.reply = reply_error(reply_code::limit, "at most " + std::to_string(setup.limits.max_calls_per_step) +
                                                           " calls are looked at in one step; make the others in the next one");
        } else {
            one.reply = gate(one);
        }
        if (one.reply) {
            detail::shorten_reply(*one.reply, setup.limits.max_reply_bytes);
            emit(
                call_denied{
                    .step = steps, .call = one.number, .name = one.proposed.name, .arguments = one.proposed.arguments, .reply = *one.reply},
                now);
        }
    }
    running = 0;
    run_next_call(now);
}

/// The reply to a call that must not be run, or nothing.
std::optional<capability_reply> run_machine::state::gate(detail::open_call& one) {
    const capability_spec* spec = declared.find(one.proposed.name);
    if (spec == nullptr) {
        return unknown_function(one.proposed.name, declared);
    }
    const std::vector<schema_error> mismatches =
        one.proposed.mismatches ? *one.proposed.mismatches : declared.validate(spec->name, one.proposed.arguments);
    if (!mismatches.empty()) {
        return reply_invalid_args(mismatches);
    }
    if (calls_run >= setup.limits.max_calls) {
        calls_exceeded = true;
        return reply_error(reply_code::limit,
                           "the limit of " + std::to_string(setup.limits.max_calls) + " calls is used up; answer now, with what is known");
    }
    ++calls_run;
    one.timeout = spec->timeout;
    one.headline = spec->headline;
    return std::nullopt;
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
        const auto ruling = repeats.before(next.proposed);
        if (ruling == detail::repeat_guard::ruling::run) {
            invoke(next, now);
            return;
        }
        if (ruling == detail::repeat_guard::ruling::end) {
            finish_at_limit(stop_reason::repeating, now);
            return;
        }
        next.reply = repeats.refusal();
        emit(
            call_denied{
                .step = steps, .call = next.number, .name = next.proposed.name, .arguments = next.proposed.arguments, .reply = *next.reply},
            now);
    }
    reply_to_calls(now);
}

void run_machine::state::invoke(detail::open_call& one, instant now) {
    one.started = true;
    at = phase::running_call;
    call_started_at = now;
    call_deadline = std::min(after(now, one.timeout.value_or(setup.limits.call_timeout)), total_deadline);
    action::invoke_capability wanted{.deadline = call_deadline};
    wanted.call.run_id = setup.run_id;
    wanted.call.step = steps;
    wanted.call.number = one.number;
    wanted.call.id = one.proposed.id;
    wanted.call.name = one.proposed.name;
    wanted.call.arguments = one.proposed.arguments;
    wanted.call.deadline = call_deadline;
    wanted.call.time_left = call_deadline - now;
    current = std::move(wanted);
    emit(call_started{.step = steps, .call = one.number, .name = one.proposed.name, .arguments = one.proposed.arguments}, now);
}

void run_machine::state::finish_call(capability_reply reply, instant now) {
    detail::open_call& one = calls[running];
    repeats.after(one.proposed, reply);
    detail::shorten_reply(reply, setup.limits.max_reply_bytes);
    confirmed.add(one.proposed.name, one.proposed.arguments, reply, one.headline);
    emit(call_finished{.step = steps,
                       .call = one.number,
                       .name = one.proposed.name,
                       .arguments = one.proposed.arguments,
                       .reply = reply,
                       .took = now - call_started_at},
         now);
    one.reply = std::move(reply);
    run_next_call(now);
}

/// One message with all replies, in the order of the calls.
void run_machine::state::reply_to_calls(instant now) {
    message replies;
    for (detail::open_call& one : calls) {
        replies.parts.push_back(
            response_part{.id = std::move(one.proposed.id), .name = std::move(one.proposed.name), .response = one.reply->envelope()});
    }
    calls.clear();
    messages.push_back(std::move(replies));
    emit(step_finished{.step = steps}, now);
    begin_step(now);
}

}  // namespace pyaichat::inline v0
