#include "agent/machine/image_limits.hpp"
#include "agent/machine/run_state.hpp"
#include "agent/machine/shorten_reply.hpp"
#include "message/value_depth.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

using stage = detail::open_call::stage;

/// The maximum depth of nested calls; calls of the model have depth 0.
constexpr int max_nesting = 4;

}  // namespace

capability_reply detail::changed_since(const std::string& name) {
    return reply_error(reply_code::denied,
                       "`" + name + "` was not run: it has changed since the model was told about it; check it, and call it again");
}

std::string_view detail::to_string(stage value) noexcept {
    switch (value) {
        case stage::gated: return "gated";
        case stage::pending: return "pending";
        case stage::allowed: return "allowed";
        case stage::started: return "started";
        case stage::invoked:
        case stage::returned: return "invoked";  // a snapshot does not contain a reply that hooks have not reviewed
        case stage::suspended: return "suspended";
    }
    return "unknown";
}

/// Ends the calls that are about to be reviewed or invoked and whose declaration has changed since the model was told about it.
void run_machine::state::deny_changed_calls(const result<capability_list>& listed, instant now) {
    const auto changed = [&](const detail::open_call& call) {
        const capability_spec* before = declared.find(call.proposed->name);
        const capability_spec* spec = listed ? listed->find(call.proposed->name) : nullptr;
        return before == nullptr || spec == nullptr || *before != *spec;
    };
    if (is<action::ask_approval>()) {
        bool any = false;
        for (detail::open_call& call : calls) {
            if (call.asked && changed(call)) {
                refuse(call, detail::changed_since(call.proposed->name), now);
                call.asked = false;
                any = true;
            }
        }
        if (any) {
            run_next_call(now);
        }
        return;
    }
    for (auto next = undecided.begin(); next != undecided.end();) {
        const auto at = next++;
        if (changed(at->second)) {
            detail::open_call call = std::move(undecided.extract(at).mapped());
            calls_run -= call.number != 0 ? 1 : 0;  // it has a number if it was counted
            deny_nested(call, detail::changed_since(call.proposed->name), now);
        }
    }
    for (auto next = nested.begin(); next != nested.end();) {
        detail::open_call& call = next++->second;
        if (call.at == stage::started && changed(call)) {
            finish_call(call, detail::changed_since(call.proposed->name), now);
        }
    }
    std::vector<std::uint64_t> of_the_model;  // `finish_call` may replace `calls`
    for (const detail::open_call& call : calls) {
        if (!call.reply && call.at == stage::started && changed(call)) {
            of_the_model.push_back(call.number);
        }
    }
    for (const std::uint64_t number : of_the_model) {
        if (detail::open_call* call = running_call(number)) {
            finish_call(*call, detail::changed_since(call->proposed->name), now);
        }
    }
}

/// Continues with the calls of the model: in their order, one after another. Only `read` calls may run beside each other.
void run_machine::state::run_next_call(instant now) {
    if (is<action::ask_approval>() && std::any_of(calls.begin(), calls.end(), [](const detail::open_call& call) { return call.asked; })) {
        return;  // a suspended call got its reply; the others wait for the opinions
    }
    const auto in_flight = std::find_if(calls.begin(), calls.end(), [](const detail::open_call& call) { return call.is_in_flight(); });
    if (in_flight != calls.end()) {
        if (!calls[running].is_in_flight()) {
            running = static_cast<std::size_t>(in_flight - calls.begin());
            call_started_at = in_flight->started_at;
            become(action::invoke_capability{.call = in_flight->number, .deadline = in_flight->deadline});
            begun = true;  // it was ordered beside the call that has ended
        }
        start_reads(now);
        return;
    }
    bool asks = false;
    for (detail::open_call& call : calls) {
        call.asked = !call.reply && call.at == stage::gated;
        asks = asks || call.asked;
    }
    if (asks) {
        become(action::ask_approval{});
        return;
    }
    for (running = 0; running < calls.size(); ++running) {
        detail::open_call& next = calls[running];
        if (next.reply) {
            continue;
        }
        if (now >= total_deadline) {
            finish_at_limit(stop_reason::total_timeout, now);
            return;
        }
        if (next.is_pending()) {
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

/// Orders the `read` calls that follow the running one, up to `limits::parallel_reads` at a time.
void run_machine::state::start_reads(instant now) {
    const detail::open_call& first = calls[running];
    const auto count = [&] {
        return std::count_if(calls.begin(), calls.end(), [](const detail::open_call& call) { return call.is_in_flight(); });
    };
    if (setup.limits.parallel_reads == 1 || first.at < stage::invoked || first.effects != effects::read) {
        return;
    }
    for (std::size_t i = running + 1; i < calls.size() && count() < setup.limits.parallel_reads; ++i) {
        detail::open_call& next = calls[i];
        if (next.reply || next.is_in_flight()) {
            continue;
        }
        const auto is_same = [&](const detail::open_call& other) {
            return other.is_in_flight() && other.proposed->name == next.proposed->name &&
                   other.proposed->arguments == next.proposed->arguments;
        };
        if (next.at != stage::allowed || next.effects != effects::read || std::any_of(calls.begin(), calls.end(), is_same)) {
            return;
        }
        const auto ruling = repeats.before(*next.proposed);
        if (ruling == detail::repeat_guard::ruling::end) {
            return;  // when it is its turn
        }
        if (ruling == detail::repeat_guard::ruling::run) {
            begin(next, now);
        } else {
            deny(next, repeats.refusal(), now);
        }
    }
}

void run_machine::state::begin(detail::open_call& call, instant now) {
    call.at = stage::started;
    call.started_at = now;
    if (call.depth > 0) {
        call.deadline = std::min(call.timeout ? after(now, *call.timeout) : instant::max(), root_of(call).deadline);
    } else {
        call.deadline = std::min(after(now, call.timeout.value_or(setup.limits.call_timeout)), total_deadline);
    }
    if (!std::exchange(call.was_started, false)) {
        emit(call_started{.step = steps, .call = call.number, .name = call.proposed->name, .arguments = call.proposed->arguments}, now);
    }
    order(call, now);
}

void run_machine::state::order(detail::open_call& call, instant now) {
    call.begun_at = now;
    action::invoke_capability invoke{
        .call = call.number, .depth = call.depth, .deadline = call.deadline, .may_nest = call.depth < max_nesting};
    if (&call == &calls[running]) {
        become(invoke);
        return;
    }
    if (call.depth == 0) {
        call.deadline = total_deadline;  // its time begins when it is invoked: the calls before it may block
        invoke.is_beside = true;
    }
    beside.push_back(invoke);
}

const detail::open_call* run_machine::state::running_call(std::uint64_t number) const noexcept {
    const auto found = nested.find(number);
    if (found != nested.end()) {
        return &found->second;
    }
    const auto called = std::find_if(calls.begin(), calls.end(),
                                     [&](const detail::open_call& call) { return call.number == number && call.is_in_flight(); });
    return called != calls.end() ? &*called : nullptr;
}

detail::open_call* run_machine::state::running_call(std::uint64_t number) noexcept {
    return const_cast<detail::open_call*>(std::as_const(*this).running_call(number));
}

capability_call run_machine::invocation(std::uint64_t number) const {
    const detail::open_call* waiting = state_->suspended(number);
    const detail::open_call* running = waiting != nullptr ? waiting : state_->running_call(number);
    PYAICHAT_ASSERT(running != nullptr, "the call is not running");
    capability_call call;
    call.run_id = state_->setup.run_id;
    call.step = state_->steps;
    call.number = number;
    call.id = running->proposed->id;
    call.idempotency_key = call.run_id + "/" + std::to_string(number);
    call.name = running->proposed->name;
    call.arguments = running->proposed->arguments;
    call.deadline = running->deadline;
    call.time_left = running->deadline - running->begun_at;
    return call;
}

/// Returns the call of the model around a call, or the call itself. It is in flight, since `close_nested` ends its nested calls.
detail::open_call& run_machine::state::root_of(const detail::open_call& call) noexcept {
    const std::uint64_t number = call.depth == 0 ? call.number : call.root;
    return *std::find_if(calls.begin(), calls.end(), [&](const detail::open_call& other) { return other.number == number; });
}

void run_machine::state::on(input::invoking started, instant now) {
    detail::open_call& call = *running_call(started.call);
    call.at = stage::invoked;
    if (call.depth == 0 && &call != &calls[running]) {
        call.started_at = call.begun_at = now;
        call.deadline = std::min(after(now, call.timeout.value_or(setup.limits.call_timeout)), total_deadline);
    }
    // If a nested call must not be repeated after a crash, neither must the call around it.
    detail::open_call& root = root_of(call);
    root.effects = std::max(root.effects, call.effects);
    if (call.depth == 0) {
        start_reads(now);
    }
}

void run_machine::state::on(input::call_output output, instant now) {
    emit(call_output{.step = steps, .call = output.call, .text = std::move(output.text)}, now);
}

// ---- replies

void run_machine::state::on(input::call_returned&& returned, instant now) {
    detail::open_call* const waiting = suspended(returned.call);
    detail::open_call& call = waiting != nullptr ? *waiting : *running_call(returned.call);
    if (returned.reply.code == reply_code::suspended) {
        suspend(call, std::move(returned.reply.message), now);
        return;
    }
    if (!hooked) {
        finish_call(call, std::move(returned.reply), now);
        return;
    }
    call.at = stage::returned;
    call.returned = std::move(returned.reply);
    beside.push_back(action::review_reply{.call = call.number});
}

capability_reply run_machine::take_returned(std::uint64_t number) {
    detail::open_call* call = state_->running_call(number);
    PYAICHAT_ASSERT(call != nullptr && call->returned, "the call has no reply to review");
    return *std::exchange(call->returned, std::nullopt);
}

/// Replies to the calls whose deadline has passed. If the model's call has timed out, its nested calls end with it.
void run_machine::state::time_out(instant now) {
    const auto late = [&](detail::open_call& call) {
        capability_reply reply = cut_off(call, reply_code::timeout, "no reply within " + describe(call.deadline - call.started_at));
        if (now - call.deadline > detail::noticeable) {
            // In the note, which `repeat_guard` does not compare: the time differs on each call.
            reply.note = "the timeout was noticed after " + describe(now - call.started_at);
        }
        finish_call(call, std::move(reply), now);
    };
    const auto first = std::find_if(calls.begin(), calls.end(),
                                    [&](const detail::open_call& call) { return call.is_in_flight() && now >= call.deadline; });
    if (first != calls.end()) {
        late(*first);  // may replace `calls`; the others follow with the next input
        return;
    }
    for (auto next = nested.begin(); next != nested.end();) {
        detail::open_call& call = next++->second;
        if (now >= call.deadline) {
            late(call);
        }
    }
}

void run_machine::state::on(input::call_reply&& replied, instant now) {
    detail::open_call* const waiting = suspended(replied.call);
    finish_call(waiting != nullptr ? *waiting : *running_call(replied.call), std::move(replied.reply), now);
}

/// Pauses the run at a call whose reply comes from outside, when no other call is in flight any more.
void run_machine::state::suspend(detail::open_call& call, std::string reason, instant now) {
    if (call.depth > 0) {
        finish_call(call, cut_off(call, reply_code::cancelled, "a nested call cannot be suspended"), now);
        return;
    }
    close_nested(call.number, now);
    call.at = stage::suspended;
    call.reason = std::move(reason);
    run_next_call(now);
}

/// Withdraws the orders that have not begun, to invoke these calls or to review their replies.
void run_machine::state::withdraw_orders(const std::function<bool(std::uint64_t)>& is_over) {
    const auto first = beside.begin() + static_cast<std::ptrdiff_t>(beside_begun);
    const auto is_obsolete = [&](const machine_action& item) {
        const auto* ordered = std::get_if<action::invoke_capability>(&item);
        const auto* reviewed = std::get_if<action::review_reply>(&item);
        return (ordered != nullptr && is_over(ordered->call)) || (reviewed != nullptr && is_over(reviewed->call));
    };
    beside.erase(std::remove_if(first, beside.end(), is_obsolete), beside.end());
}

void run_machine::state::finish_call(detail::open_call& call, capability_reply&& reply, instant now) {
    detail::normalise(reply);
    if (call.at == stage::suspended && is<action::await_approval>()) {
        total_deadline = after(total_deadline, now - paused_at);
        paused_at = now;  // the pause may go on, for other calls
    }
    withdraw_orders([&](std::uint64_t number) { return number == call.number; });
    if (call.depth > 0) {
        machine_action answer =
            action::reply_to_caller{.ticket = call.ticket, .reply = reply};  // not shortened: the model does not read it
        detail::shorten_reply(reply, setup.limits.max_reply_bytes);
        ended(call, std::move(reply), now);
        nested.erase(call.number);
        beside.push_back(std::move(answer));
        return;
    }
    close_nested(call.number, now);
    detail::image_count images{.bytes = image_bytes};
    for (const detail::open_call& other : calls) {
        images.in_message += other.reply ? other.reply->images.size() : 0;
    }
    detail::bound_images(reply, setup.limits, images);
    image_bytes = images.bytes;
    repeats.after(*call.proposed, reply);
    detail::shorten_reply(reply, setup.limits.max_reply_bytes);
    if (reply.ok()) {
        confirmed.add(events.size(), call.headline);
    }
    ended(call, std::move(reply), now);
    run_next_call(now);
}

void run_machine::state::ended(detail::open_call& call, capability_reply&& reply, instant now) {
    emit(call_finished{.step = steps,
                       .call = call.number,
                       .name = call.proposed->name,
                       .arguments = call.proposed->arguments,
                       .reply = reply,
                       .took = now - call.started_at},
         now);
    call.reply = std::move(reply);
}

/// Returns the reply to an interrupted call: `in_doubt` if it was invoked and must not be repeated, else `code`.
capability_reply run_machine::state::cut_off(const detail::open_call& call, reply_code code, const std::string& why) const {
    if (call.at < stage::invoked || call.effects != effects::once) {
        return reply_error(code, why);
    }
    return reply_error(reply_code::in_doubt, why + ", so whether it had its effect is not known; find out before you make it again");
}

/// Replies to a call that was open when the run ended.
void run_machine::state::close(detail::open_call& call, stop_reason reason, instant now) {
    capability_reply reply =
        reason == stop_reason::total_timeout
            ? cut_off(call, reply_code::timeout, "the run reached its time limit")
            : cut_off(call, reply_code::cancelled, "the run ended before this call did (" + std::string(to_string(reason)) + ")");
    if (call.at < stage::started) {
        deny(call, std::move(reply), now);
        return;
    }
    close_nested(call.number, now);
    ended(call, std::move(reply), now);
}

message detail::replies_to(std::vector<open_call> calls) {
    message replies;
    for (open_call& call : calls) {
        if (!call.reply) {
            call.reply = reply_error(reply_code::cancelled, call.at == open_call::stage::suspended
                                                                ? "the reply to this call has not arrived yet"
                                                                : "nobody has decided yet whether this call may run");
        }
        std::vector<image> images = std::move(call.reply->images);
        replies.parts.push_back(response_part{.id = call.proposed->id,
                                              .name = call.proposed->name,
                                              .response = std::move(*call.reply).envelope(),
                                              .images = std::move(images)});
    }
    return replies;
}

void run_machine::state::reply_to_calls(instant now) {
    messages.push_back(detail::replies_to(std::exchange(calls, {})));
    emit(step_finished{.step = steps}, now);
    begin_step(now);
}

// ---- nested calls: validated, approved and counted like the model's. They cannot wait for a person, because their parent has a deadline.

void run_machine::state::on(input::nested_call request, instant now) {
    detail::open_call call{.proposed = std::make_shared<const call_part>(
                               call_part{.name = std::move(request.name), .arguments = std::move(request.arguments)}),
                           .ticket = request.ticket,
                           .depth = request.depth,
                           .root = root_of(*running_call(request.parent)).number};
    std::optional<capability_reply> refused =
        call.proposed->arguments.is_object() ? misfit(call) : reply_error(reply_code::invalid_args, "the arguments are not a JSON object");
    if (refused) {
        deny_nested(call, std::move(*refused), now);
        return;
    }
    beside.push_back(action::ask_approval{.nested = call.ticket});
    undecided.emplace(call.ticket, std::move(call));
}

void run_machine::state::deny_nested(detail::open_call& call, capability_reply reply, instant now) {
    if (call.number == 0) {
        call.number = ++last_call_number;
    }
    deny(call, std::move(reply), now);
    beside.push_back(action::reply_to_caller{.ticket = call.ticket, .reply = std::move(*call.reply)});
}

void run_machine::state::refuse_nested(const input::nested_call& request) {
    const char* why = running_call(request.parent) != nullptr ? "the call that requested this one has replied"
                                                              : "the call that requested this one has ended";
    beside.push_back(action::reply_to_caller{.ticket = request.ticket, .reply = reply_error(reply_code::cancelled, why)});
}

void run_machine::state::decide_nested(detail::open_call call, input::opinions opinions, instant now) {
    if (call.number == 0) {
        call.number = ++last_call_number;
        if (std::optional<capability_reply> refused = over_limit()) {
            deny_nested(call, std::move(*refused), now);
            return;
        }
    }
    for (input::opinions::opinion& opinion : opinions.all) {
        opinion.call = call.number;  // the opinions are about this call, which had no number yet
    }
    apply(call, opinions, now);
    if (!call.reply && call.at == stage::gated) {
        beside.push_back(action::ask_approval{.nested = call.ticket});
        undecided.emplace(call.ticket, std::move(call));
        return;
    }
    if (!call.reply && call.at == stage::pending) {
        refuse(call, reply_error(reply_code::denied, "it needs the approval of a person, and a nested call cannot wait for that"), now);
    }
    if (call.reply) {
        beside.push_back(action::reply_to_caller{.ticket = call.ticket, .reply = std::move(*call.reply)});
        return;
    }
    begin(nested.emplace(call.number, std::move(call)).first->second, now);
}

/// Cancels all nested calls of a call of the model, because it has ended.
void run_machine::state::close_nested(std::uint64_t root, instant now) {
    beside.erase(beside.begin(), beside.begin() + static_cast<std::ptrdiff_t>(std::exchange(beside_begun, 0)));
    const auto is_of = [&](std::uint64_t number) {
        const auto found = nested.find(number);
        return number == root || (found != nested.end() && found->second.root == root);
    };
    withdraw_orders(is_of);
    std::erase_if(beside, [&](const machine_action& item) {
        const auto* asked = std::get_if<action::ask_approval>(&item);
        return asked != nullptr && (undecided.count(asked->nested) == 0 || undecided.at(asked->nested).root == root);
    });
    constexpr const char* why = "the call that requested this one has ended";
    for (auto next = nested.begin(); next != nested.end();) {
        if (next->second.root != root) {
            ++next;
            continue;
        }
        ended(next->second, cut_off(next->second, reply_code::cancelled, why), now);
        beside.push_back(action::reply_to_caller{.ticket = next->second.ticket, .reply = reply_error(reply_code::cancelled, why)});
        next = nested.erase(next);
    }
    for (auto next = undecided.begin(); next != undecided.end();) {
        if (next->second.root != root) {
            ++next;
            continue;
        }
        beside.push_back(action::reply_to_caller{.ticket = next->first, .reply = reply_error(reply_code::cancelled, why)});
        next = undecided.erase(next);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
