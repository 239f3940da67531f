/// What reaches a run from elsewhere: replies of calls, and the calls that calls make.
#include <pyaichat/agent/detail/run_driver.hpp>

#include "agent/machine/shorten_reply.hpp"
#include "message/value_depth.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// How deep calls may be nested: the model's own are at 0.
constexpr int max_nesting = 4;

}  // namespace

void run_driver::take(mailbox::item one) {
    if (auto* work = std::get_if<task>(&one)) {
        (*work)();
    } else {
        take_input(std::get<machine_input>(std::move(one)));
    }
}

void run_driver::take_input(machine_input in) {
    if (auto* nested_reply = std::get_if<input::nested_reply>(&in)) {
        bound_depth(nested_reply->reply);
    } else if (auto* reply = std::get_if<input::call_reply>(&in)) {
        bound_depth(reply->reply);
    }
    if (auto* nested = std::get_if<input::nested_call>(&in)) {
        on_nested_call(std::move(*nested));
    } else if (auto* nested_reply = std::get_if<input::nested_reply>(&in)) {
        on_nested_reply(std::move(*nested_reply));
    } else if (auto* reply = std::get_if<input::call_reply>(&in)) {
        on_call_reply(std::move(*reply));
    } else {
        feed(std::move(in));
    }
}

/// Hooks see a reply before the journal, the events and the model do. One that comes too late, before them or because of them, is not
/// looked at and does not get into the journal.
void run_driver::on_call_reply(input::call_reply came) {
    const auto awaited = [this](std::uint64_t number) {
        const auto* current = std::get_if<action::invoke_capability>(&wanted());
        return current != nullptr && current->call == number;
    };
    if (!awaited(came.call) || redacting_ == came.call) {
        return;
    }
    redacting_ = came.call;
    hooks_.after_call(call_, std::move(came.reply), [this, awaited, number = came.call](capability_reply reply) {
        if (awaited(number)) {
            feed(input::call_reply{.call = number, .reply = std::move(reply)});
        }
    });
}

void run_driver::on_nested_reply(input::nested_reply came) {
    const auto running = nested_.find(came.call);
    if (running == nested_.end() || std::exchange(running->second.answered, true)) {
        return;
    }
    hooks_.after_call(running->second.call, std::move(came.reply), [this, number = came.call](capability_reply reply) {
        const auto at = nested_.find(number);
        const std::uint64_t ticket = at->second.ticket;
        nested_.erase(at);
        feed(input::nested_reply{.call = number, .reply = reply});
        desk_->answer(ticket, std::move(reply));
    });
}

/// Only posts: whoever calls this may be on any thread, or inside the driver.
nested_caller run_driver::others(std::uint64_t parent, int depth) {
    if (depth > max_nesting) {
        return {};
    }
    return [box = mailbox_, desk = desk_, parent, depth](std::string name, json arguments, capability_responder responder) {
        if (nests_deeper_than(arguments, max_value_depth)) {  // before anybody copies them
            responder(reply_error(reply_code::invalid_args, "the arguments nest too deep"));
            return;
        }
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
    const auto over = [this](const input::nested_call& asked) {
        if (redacting_ != asked.parent) {
            return false;
        }
        desk_->answer(asked.ticket, reply_error(reply_code::cancelled, "the call that wanted this one has replied"));
        return true;
    };
    if (over(wanted)) {
        return;
    }
    const capability_spec* spec = machine_.declared().find(wanted.name);
    std::vector<proposed_call> proposed;
    if (spec != nullptr && wanted.arguments.is_object() && machine_.declared().validate(wanted.name, wanted.arguments).empty()) {
        proposed.push_back(
            {.name = wanted.name, .arguments = wanted.arguments, .effects = spec->effects, .from = spec->from, .origin = spec->origin});
    }
    const auto go_on = [this, over](input::nested_call asked) {
        if (over(asked)) {
            return;
        }
        const std::uint64_t parent = asked.parent;
        const int depth = asked.depth;
        feed(std::move(asked));
        while (std::optional<nested_order> order = machine_.take_nested()) {
            run(std::move(*order), parent, depth);
        }
    };
    if (proposed.empty()) {
        go_on(std::move(wanted));
        return;
    }
    gather(proposed, [go_on, wanted = std::move(wanted)](std::vector<input::opinions::opinion> said) mutable {
        wanted.said = std::move(said);
        go_on(std::move(wanted));
    });
}

void run_driver::run(nested_order order, std::uint64_t parent, int depth) {
    if (order.refused) {
        desk_->answer(order.ticket, std::move(*order.refused));
        return;
    }
    const std::uint64_t number = order.call.number;
    if (log_.broken()) {
        feed(input::nested_reply{.call = number, .reply = unrecorded()});
        desk_->answer(order.ticket, unrecorded());
        return;
    }
    capability_call call = order.call;
    nested_.emplace(number, nested_running{.ticket = order.ticket, .call = std::move(order.call)});
    call.cancel = work_.get_token();
    call.others = others(parent, depth + 1);
    make_call(call, [number](capability_reply reply) { return input::nested_reply{.call = number, .reply = std::move(reply)}; });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
