#include "agent/machine/run_state.hpp"
#include "agent/machine/shorten_reply.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

/// A nested call is gated like one of the model's. It cannot wait for a person, since the call around it has a deadline.
void run_machine::state::on_nested_call(input::nested_call wanted, instant now) {
    detail::open_call one{
        .proposed = std::make_shared<const call_part>(call_part{.name = std::move(wanted.name), .arguments = std::move(wanted.arguments)}),
        .number = ++last_call_number};
    const bool exceeded_before = calls_exceeded;
    std::optional<capability_reply> refused;
    if (!one.proposed->arguments.is_object()) {
        refused = reply_error(reply_code::invalid_args, "the arguments are no object");
    } else {
        refused = gate(one);
    }
    calls_exceeded = exceeded_before;  // the model is not to blame
    if (refused) {
        deny(one, std::move(*refused), now);
    } else {
        for (input::opinions::opinion& opinion : wanted.said) {
            opinion.call = one.number;
        }
        apply(one, {.all = std::move(wanted.said)}, now);
        if (!one.reply && one.at == detail::open_call::stage::pending) {
            --calls_run;
            deny(one, reply_error(reply_code::denied, "a person would have to allow it, which cannot be waited for inside another call"),
                 now);
        }
    }
    nested_order order{.ticket = wanted.ticket, .refused = one.reply};
    if (!one.reply) {
        // What it does, the call around it does: that one must not be repeated after a crash when this one must not.
        calls[running].effects = std::max(calls[running].effects, one.effects);
        nested.emplace(one.number,
                       detail::nested_open_call{.name = one.proposed->name, .arguments = one.proposed->arguments, .started_at = now});
        order.call = invocation(one, now);
        emit(call_started{.step = steps, .call = one.number, .name = one.proposed->name, .arguments = one.proposed->arguments}, now);
    }
    orders.push_back(std::move(order));
}

void run_machine::state::on_nested_reply(std::uint64_t number, capability_reply reply, instant now) {
    const auto at_number = nested.find(number);
    detail::shorten_reply(reply, setup.limits.max_reply_bytes);
    emit(call_finished{.step = steps,
                       .call = number,
                       .name = std::move(at_number->second.name),
                       .arguments = std::move(at_number->second.arguments),
                       .reply = std::move(reply),
                       .took = now - at_number->second.started_at},
         now);
    nested.erase(at_number);
}

/// The call around them is over: nobody waits for them any more.
void run_machine::state::close_nested(instant now) {
    while (!nested.empty()) {
        on_nested_reply(nested.begin()->first, reply_error(reply_code::cancelled, "the call that wanted this one is over"), now);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
