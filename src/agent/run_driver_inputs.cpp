/// What reaches a run from elsewhere: replies of calls, and the calls that calls make.
#include <pyaichat/agent/detail/run_driver.hpp>

#include <utility>

namespace pyaichat::inline v0::detail {

namespace {

/// How deep calls may be nested: the model's own are at 0.
constexpr int max_nesting = 4;

}  // namespace

void run_driver::take_input(machine_input in) {
    if (auto* nested = std::get_if<input::nested_call>(&in)) {
        on_nested_call(std::move(*nested));
        return;
    }
    if (auto* reply = std::get_if<input::nested_reply>(&in)) {
        const auto running = nested_.find(reply->call);
        if (running != nested_.end()) {
            redact(running->second.call, reply->reply);
            const std::uint64_t ticket = running->second.ticket;
            nested_.erase(running);
            capability_reply told = reply->reply;
            feed(std::move(in));
            desk_->answer(ticket, std::move(told));
        }
        return;
    }
    if (auto* came = std::get_if<input::call_reply>(&in)) {
        const auto* current = std::get_if<action::invoke_capability>(&wanted());
        if (current == nullptr || current->call != came->call) {
            return;  // too late, and not looked at by the hooks: it must not get into the journal either
        }
        redact(call_, came->reply);
    }
    feed(std::move(in));
}

/// Only posts: whoever calls this may be on any thread, or inside the driver.
nested_caller run_driver::others(std::uint64_t parent, int depth) {
    if (depth > max_nesting) {
        return {};
    }
    return [box = mailbox_, desk = desk_, parent, depth](std::string name, json arguments, capability_responder responder) {
        if (const std::uint64_t ticket = desk->take(std::move(responder)); ticket != 0) {
            box->post(input::nested_call{.parent = parent,
                                         .ticket = ticket,
                                         .depth = depth,
                                         .name = std::move(name),
                                         .arguments = std::move(arguments),
                                         .said = {}});
        }
    };
}

void run_driver::on_nested_call(input::nested_call wanted) {
    const capability_spec* spec = machine_.declared().find(wanted.name);
    if (spec != nullptr && wanted.arguments.is_object() && machine_.declared().validate(wanted.name, wanted.arguments).empty()) {
        const proposed_call proposed{
            .name = wanted.name, .arguments = wanted.arguments, .effects = spec->effects, .from = spec->from, .origin = spec->origin};
        wanted.said = opinions_of({&proposed, 1});
    }
    const std::uint64_t parent = wanted.parent;
    const int depth = wanted.depth;
    feed(std::move(wanted));
    while (std::optional<nested_order> order = machine_.take_nested()) {
        run(std::move(*order), parent, depth);
    }
}

void run_driver::run(nested_order order, std::uint64_t parent, int depth) {
    if (order.refused) {
        desk_->answer(order.ticket, std::move(*order.refused));
        return;
    }
    const std::uint64_t number = order.call.number;
    capability_call call = order.call;
    nested_.emplace(number, nested_running{.ticket = order.ticket, .call = std::move(order.call)});
    if (log_.broken()) {
        take_input(input::nested_reply{
            .call = number,
            .reply = reply_error(reply_code::internal, "the journal of this run cannot be written, so no call can be made")});
        return;
    }
    const instant before = now();
    if (abandoned_ || before >= machine_.deadline()) {
        return;  // the call around it is over
    }
    call.cancel = work_.get_token();
    call.others = others(parent, depth + 1);
    capability_responder responder(
        [box = mailbox_, number](capability_reply reply) { box->post(input::nested_reply{.call = number, .reply = std::move(reply)}); });
    std::optional<std::string> thrown;
    guarded([&] { invoke(call, std::move(responder)); }, [&](std::string_view what) { thrown = what; });
    if (thrown) {
        take_input(
            input::nested_reply{.call = number, .reply = reply_error(reply_code::internal, "`" + call.name + "` failed: " + *thrown)});
    }
    check_deadline(before);
}

}  // namespace pyaichat::inline v0::detail
