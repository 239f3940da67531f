#include "agent/machine/run_state.hpp"
#include "agent/machine/shorten_reply.hpp"
#include "message/value_depth.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using stage = detail::open_call::stage;

/// How deep calls may be nested: the calls of the model are at 0.
constexpr int max_nesting = 4;

}  // namespace

capability_reply detail::changed_since(const std::string& name) {
    return reply_error(reply_code::denied,
                       "`" + name + "` was not run: it has changed since this call was decided; look at it, and call it again");
}

std::string_view detail::to_string(stage value) noexcept {
    switch (value) {
        case stage::gated: return "gated";
        case stage::pending: return "pending";
        case stage::allowed: return "allowed";
        case stage::started: return "started";
        case stage::invoked:
        case stage::returned: return "invoked";  // a reply that hooks have not seen does not count
    }
    return "unknown";
}

/// What a source declares has changed since the calls were gated. A call that is about to be invoked would be another one then.
void run_machine::state::compare(const result<capability_list>& listed, instant now) {
    const auto changed = [&](const detail::open_call& one) {
        const capability_spec* before = declared.find(one.proposed->name);
        const capability_spec* spec = listed ? listed->find(one.proposed->name) : nullptr;
        return one.at == stage::started && (before == nullptr || spec == nullptr || *before != *spec);
    };
    std::vector<std::uint64_t> numbers;
    for (const auto& [number, one] : nested) {
        if (changed(one)) {
            numbers.push_back(number);
        }
    }
    for (const std::uint64_t number : numbers) {
        finish_call(nested.at(number), detail::changed_since(nested.at(number).proposed->name), now);
    }
    if (changed(calls[running])) {
        finish_call(calls[running], detail::changed_since(calls[running].proposed->name), now);
    }
}

void run_machine::state::run_next_call(instant now) {
    if (std::any_of(calls.begin(), calls.end(), [](const detail::open_call& one) { return !one.reply && one.at == stage::gated; })) {
        become(action::ask_approval{});
        return;
    }
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
            call_started_at = now;
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
    one.at = stage::started;
    one.started_at = now;
    one.deadline = one.depth == 0 ? std::min(after(now, one.timeout.value_or(setup.limits.call_timeout)), total_deadline)
                                  : std::min(one.timeout ? after(now, *one.timeout) : instant::max(), calls[running].deadline);
    emit(call_started{.step = steps, .call = one.number, .name = one.proposed->name, .arguments = one.proposed->arguments}, now);
    order(one, now);
}

void run_machine::state::order(detail::open_call& one, instant now) {
    one.begun_at = now;
    machine_action invoke = action::invoke_capability{.call = one.number,
                                                      .root = calls[running].number,
                                                      .depth = one.depth,
                                                      .deadline = one.deadline,
                                                      .may_nest = one.depth < max_nesting};
    if (one.depth == 0) {
        become(std::move(invoke));
    } else {
        beside.push_back(std::move(invoke));
    }
}

const detail::open_call* run_machine::state::running_call(std::uint64_t number) const noexcept {
    if (!is<action::invoke_capability>()) {
        return nullptr;
    }
    const auto found = nested.find(number);
    const detail::open_call& one = found != nested.end() ? found->second : calls[running];
    return one.number == number && one.at >= stage::started ? &one : nullptr;
}

detail::open_call* run_machine::state::running_call(std::uint64_t number) noexcept {
    return const_cast<detail::open_call*>(std::as_const(*this).running_call(number));
}

capability_call run_machine::invocation(std::uint64_t number) const {
    const detail::open_call* one = state_->running_call(number);
    PYAICHAT_ASSERT(one != nullptr, "the call is not running");
    capability_call call;
    call.run_id = state_->setup.run_id;
    call.step = state_->steps;
    call.number = number;
    call.id = one->proposed->id;
    call.idempotency_key = call.run_id + "/" + std::to_string(number);
    call.name = one->proposed->name;
    call.arguments = one->proposed->arguments;
    call.deadline = one->deadline;
    call.time_left = one->deadline - one->begun_at;
    return call;
}

void run_machine::state::on(input::invoking started, instant) {
    detail::open_call& one = *running_call(started.call);
    one.at = stage::invoked;
    // The effects of a nested call are also those of the call around it: that call must not be repeated after a crash when this one must
    // not.
    calls[running].effects = std::max(calls[running].effects, one.effects);
}

void run_machine::state::on(input::call_output output, instant now) {
    emit(call_output{.step = steps, .call = output.call, .text = std::move(output.text)}, now);
}

// ---- replies

void run_machine::state::on(input::call_returned returned, instant now) {
    detail::open_call& one = *running_call(returned.call);
    if (!hooked) {
        finish_call(one, std::move(returned.reply), now);
        return;
    }
    one.at = stage::returned;
    one.returned = std::move(returned.reply);
    beside.push_back(action::review_reply{.call = one.number});
}

capability_reply run_machine::take_returned(std::uint64_t number) {
    detail::open_call* one = state_->running_call(number);
    PYAICHAT_ASSERT(one != nullptr && one->returned, "the call has no reply to review");
    return *std::exchange(one->returned, std::nullopt);
}

/// Answers the calls whose time is over. The model's call comes first: those nested in it end with it.
void run_machine::state::time_out(instant now) {
    const auto late = [&](detail::open_call& one) {
        capability_reply reply = cut_off(one, reply_code::timeout, "no reply within " + describe(one.deadline - one.started_at));
        if (now - one.deadline > detail::noticeable) {
            // A note, which differs each time, and is not part of what repeats.
            reply.note = "there was none before " + describe(now - one.started_at) + " had passed";
        }
        finish_call(one, std::move(reply), now);
    };
    if (now >= calls[running].deadline) {
        late(calls[running]);
        return;
    }
    for (auto next = nested.begin(); next != nested.end();) {
        detail::open_call& one = next++->second;
        if (now >= one.deadline) {
            late(one);
        }
    }
}

void run_machine::state::on(input::call_reply replied, instant now) {
    finish_call(*running_call(replied.call), std::move(replied.reply), now);
}

void run_machine::state::finish_call(detail::open_call& one, capability_reply reply, instant now) {
    detail::normalise(reply);
    if (one.depth > 0) {
        machine_action answer = action::reply_to_caller{.ticket = one.ticket, .reply = reply};  // in full: nobody pays for it in tokens
        detail::shorten_reply(reply, setup.limits.max_reply_bytes);
        ended(one, std::move(reply), now);
        nested.erase(one.number);
        beside.push_back(std::move(answer));
        return;
    }
    close_nested(now);
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
                       .took = now - one.started_at},
         now);
    one.reply = std::move(reply);
}

/// The reply to a call that is cut off: its effect is in doubt when it had begun and must not be repeated.
capability_reply run_machine::state::cut_off(const detail::open_call& one, reply_code code, const std::string& why) const {
    if (one.at < stage::invoked || one.effects != effects::once) {
        return reply_error(code, why);
    }
    return reply_error(reply_code::in_doubt, why + ", so whether it had its effect is not known; find out before you make it again");
}

/// The reply to a call that was open when the run ended.
void run_machine::state::close(detail::open_call& one, stop_reason reason, instant now) {
    capability_reply reply =
        reason == stop_reason::total_timeout
            ? cut_off(one, reply_code::timeout, "the run reached its time limit")
            : cut_off(one, reply_code::cancelled, "the run ended before this call did (" + std::string(to_string(reason)) + ")");
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

// ---- nested calls: gated, approved and counted like the model's, but they cannot wait for a person, since the call around them has a
// deadline

void run_machine::state::on(input::nested_call wanted, instant now) {
    detail::open_call one{
        .proposed = std::make_shared<const call_part>(call_part{.name = std::move(wanted.name), .arguments = std::move(wanted.arguments)}),
        .ticket = wanted.ticket,
        .depth = wanted.depth};
    std::optional<capability_reply> refused =
        one.proposed->arguments.is_object() ? misfit(one) : reply_error(reply_code::invalid_args, "the arguments are no object");
    if (refused) {
        deny_nested(one, std::move(*refused), now);
        return;
    }
    beside.push_back(action::ask_approval{.nested = one.ticket});
    undecided.emplace(one.ticket, std::move(one));
}

void run_machine::state::deny_nested(detail::open_call& one, capability_reply reply, instant now) {
    if (one.number == 0) {
        one.number = ++last_call_number;
    }
    deny(one, std::move(reply), now);
    beside.push_back(action::reply_to_caller{.ticket = one.ticket, .reply = std::move(*one.reply)});
}

void run_machine::state::refuse_nested(const input::nested_call& wanted) {
    const char* why =
        running_call(wanted.parent) != nullptr ? "the call that wanted this one has replied" : "the call that wanted this one is over";
    beside.push_back(action::reply_to_caller{.ticket = wanted.ticket, .reply = reply_error(reply_code::cancelled, why)});
}

void run_machine::state::decide_nested(detail::open_call one, input::opinions said, instant now) {
    if (calls[running].at == stage::returned) {
        beside.push_back(action::reply_to_caller{.ticket = one.ticket,
                                                 .reply = reply_error(reply_code::cancelled, "the call that wanted this one has replied")});
        return;
    }
    if (one.number == 0) {
        one.number = ++last_call_number;
        if (std::optional<capability_reply> refused = over_limit()) {
            deny_nested(one, std::move(*refused), now);
            return;
        }
    }
    for (input::opinions::opinion& opinion : said.all) {
        opinion.call = one.number;  // a nested call is decided alone, before it has a number
    }
    apply(one, said, now);
    if (!one.reply && one.at == stage::gated) {
        beside.push_back(action::ask_approval{.nested = one.ticket});
        undecided.emplace(one.ticket, std::move(one));
        return;
    }
    if (!one.reply && one.at == stage::pending) {
        --calls_run;
        deny(one, reply_error(reply_code::denied, "a person would have to allow it, which cannot be waited for inside another call"), now);
    }
    if (one.reply) {
        beside.push_back(action::reply_to_caller{.ticket = one.ticket, .reply = std::move(*one.reply)});
        return;
    }
    begin(nested.emplace(one.number, std::move(one)).first->second, now);
}

/// The call around them is over: nobody waits for them any more, and those that have not begun never do.
void run_machine::state::close_nested(instant now) {
    beside.erase(beside.begin(), beside.begin() + static_cast<std::ptrdiff_t>(std::exchange(beside_begun, 0)));
    std::erase_if(beside, [](const machine_action& one) { return !std::holds_alternative<action::reply_to_caller>(one); });
    const capability_reply over = reply_error(reply_code::cancelled, "the call that wanted this one is over");
    for (auto& [number, one] : std::exchange(nested, {})) {
        ended(one, cut_off(one, over.code, over.message), now);
        beside.push_back(action::reply_to_caller{.ticket = one.ticket, .reply = over});
    }
    for (auto& [ticket, one] : std::exchange(undecided, {})) {
        beside.push_back(action::reply_to_caller{.ticket = ticket, .reply = over});
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
