#include <pyaichat/python/session.hpp>

#include "python/capabilities.hpp"
#include "python/session_state.hpp"

#include <pyaichat/core/text.hpp>

#include <future>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace {

using detail::refusal;

constexpr std::size_t max_described_code = 80;

outcome refused_outcome(const refusal& why) {
    outcome refused;
    switch (why.what) {
        case refusal::kind::timeout: refused.ending = ending::timeout; break;
        case refusal::kind::busy: refused.ending = ending::busy; break;
        case refusal::kind::cancelled:
        case refusal::kind::gone: refused.ending = ending::unavailable; break;
    }
    refused.why = why.why;
    return refused;
}

capability_reply refused_reply(const refusal& why) {
    switch (why.what) {
        case refusal::kind::timeout: return reply_error(reply_code::timeout, "no answer from Python in time: " + why.why);
        case refusal::kind::busy: return reply_error(reply_code::busy, why.why);
        case refusal::kind::cancelled: return reply_error(reply_code::cancelled, why.why);
        case refusal::kind::gone: break;
    }
    return reply_error(reply_code::internal, why.why);
}

/// Where an answer goes: the work and its refusal share it, and the queue sees to it that only one of them uses it.
template <class Receiver>
std::shared_ptr<Receiver> shared(Receiver receive) {
    return std::make_shared<Receiver>(std::move(receive));
}

}  // namespace

session::session(const interpreter& python) : state_(std::make_shared<detail::session_state>(python.thread_)) {}

void session::post(std::string code, run_options options, unique_function<void(outcome)> done) {
    const auto answer = shared(std::move(done));
    const auto sink = std::make_shared<detail::output_sink>(std::move(options.output));
    detail::work item;
    item.what = pyaichat::detail::one_line(code, max_described_code);
    item.deadline = detail::deadline_in(options.time_left);
    item.refuse = [answer, sink](const refusal& why) {
        sink->close();
        outcome refused = refused_outcome(why);
        refused.out = sink->text(output_stream::out);
        refused.err = sink->text(output_stream::err);
        (*answer)(std::move(refused));
    };
    item.run = [answer, sink, state = state_, code = std::move(code), options = std::move(options)]() -> task {
        outcome ended = guarded([&] { return state->run(code, options, sink); },
                                [](std::string_view what) {
                                    return refused_outcome({.what = refusal::kind::gone, .why = "the host failed: " + std::string(what)});
                                });
        return [answer, sink, ended = std::move(ended)]() mutable {
            sink->close();
            (*answer)(std::move(ended));
        };
    };
    state_->python().queue().push(std::move(item));
}

outcome session::run(std::string code, run_options options) {
    PYAICHAT_ASSERT(!state_->python().is_current(), "session::run would wait for its own thread: use post");
    auto promise = std::make_shared<std::promise<outcome>>();
    std::future<outcome> ended = promise->get_future();
    post(std::move(code), std::move(options), [promise](outcome value) { promise->set_value(std::move(value)); });
    return ended.get();
}

outcome session::exec(std::string statements, duration time_left) {
    return run(std::move(statements), {.mode = run_mode::statements, .time_left = time_left});
}

outcome session::eval(std::string expression, duration time_left) {
    return run(std::move(expression), {.mode = run_mode::expression, .time_left = time_left});
}

result<capability_list> session::specs() const {
    return detail::capability_specs();
}

void session::invoke(const capability_call& call, capability_responder responder) {
    const auto answer = shared(std::move(responder));
    detail::work item;
    item.what = pyaichat::detail::one_line(describe_call(call.name, call.arguments), max_described_code);
    item.deadline = detail::deadline_in(call.time_left);
    item.cancel = call.cancel;
    item.refuse = [answer](const refusal& why) { (*answer)(refused_reply(why)); };
    // An expression of the model's, that nobody waits for any more, may eat all memory. The person's own code is the person's to stop.
    item.overran = [state = state_] { state->python().interrupt_running(); };
    item.run = [answer, state = state_, name = call.name, arguments = call.arguments]() -> task {
        capability_reply reply = guarded([&] { return detail::run_capability(*state, name, arguments); },
                                         [](std::string_view what) { return reply_error(reply_code::internal, std::string(what)); });
        return [answer, reply = std::move(reply)]() mutable { (*answer)(std::move(reply)); };
    };
    state_->python().queue().push(std::move(item));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
