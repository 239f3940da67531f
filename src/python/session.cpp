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
        case refusal::kind::timeout: return reply_error(reply_code::timeout, "Python did not reply in time: " + why.why);
        case refusal::kind::busy: return reply_error(reply_code::busy, why.why);
        case refusal::kind::cancelled: return reply_error(reply_code::cancelled, why.why);
        case refusal::kind::gone: break;
    }
    return reply_error(reply_code::internal, why.why);
}

}  // namespace

session::session(const interpreter& python) : state_(std::make_shared<detail::session_state>(python.thread_)) {}

void session::post(std::string code, run_options options, unique_function<void(outcome)> done) {
    // `run` and `refuse` share it; the queue calls only one of them.
    const auto shared_done = std::make_shared<unique_function<void(outcome)>>(std::move(done));
    const auto sink = std::make_shared<detail::output_sink>(std::move(options.output));
    detail::work item;
    item.what = pyaichat::detail::one_line(code, max_described_code);
    item.deadline = detail::deadline_in(options.time_left);
    item.refuse = [shared_done, sink](const refusal& why) {
        sink->close();
        outcome refused = refused_outcome(why);
        refused.out = sink->text(output_stream::out);
        refused.err = sink->text(output_stream::err);
        (*shared_done)(std::move(refused));
    };
    item.run = [shared_done, sink, state = state_, code = std::move(code), options = std::move(options)]() -> task {
        outcome ended = guarded([&] { return state->run(code, options, sink); },
                                [](std::string_view what) {
                                    return refused_outcome({.what = refusal::kind::gone, .why = "the host failed: " + std::string(what)});
                                });
        return [shared_done, sink, ended = std::move(ended)]() mutable {
            sink->close();
            (*shared_done)(std::move(ended));
        };
    };
    state_->python().queue().push(std::move(item));
}

outcome session::run(std::string code, run_options options) {
    PYAICHAT_ASSERT(!state_->python().is_current(), "session::run must not be called on Python's thread: use session::post");
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
    const auto shared_responder = std::make_shared<capability_responder>(std::move(responder));
    detail::work item;
    item.what = pyaichat::detail::one_line(describe_call(call.name, call.arguments), max_described_code);
    item.deadline = detail::deadline_in(call.time_left);
    item.cancel = call.cancel;
    item.refuse = [shared_responder](const refusal& why) { (*shared_responder)(refused_reply(why)); };
    // An overdue expression of the model may use up all memory, so it is interrupted. Code of the person is theirs to stop.
    item.overran = [state = state_] { state->python().interrupt_running(); };
    item.run = [shared_responder, state = state_, name = call.name, arguments = call.arguments]() -> task {
        capability_reply reply = guarded([&] { return detail::run_capability(*state, name, arguments); },
                                         [](std::string_view what) { return reply_error(reply_code::internal, std::string(what)); });
        return [shared_responder, reply = std::move(reply)]() mutable { (*shared_responder)(std::move(reply)); };
    };
    state_->python().queue().push(std::move(item));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python
