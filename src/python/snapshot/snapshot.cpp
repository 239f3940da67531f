#include "python/snapshot/snapshot.hpp"

#include "python/session/session_access.hpp"
#include "python/session/session_state.hpp"
#include "python/snapshot/sealed_child.hpp"
#include "python/snapshot/snapshot_child.hpp"
#include "python/snapshot/snapshot_reply.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/core/time.hpp>
#include <pyaichat/python/detail/python_end.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// JSON may need six bytes for one of a text. Exceptions are shorter than this.
constexpr std::size_t max_escaped = 6;
constexpr std::size_t document_reserve = std::size_t{64} << 10;

/// Releases the GIL from `begin` to `end`, or as long as it lives.
class gil_release {
public:
    gil_release() = default;
    ~gil_release() { end(); }
    gil_release(const gil_release&) = delete;
    gil_release& operator=(const gil_release&) = delete;

    void begin() {
        before_release();
        state_ = PyEval_SaveThread();
    }
    void end() {
        if (state_ != nullptr) {
            before_request();
            PyEval_RestoreThread(std::exchange(state_, nullptr));
            after_return();
        }
    }

private:
    PyThreadState* state_ = nullptr;
};

/// Releases the GIL until another thread has left its import. Returns false at the deadline.
bool wait_until_forkable(std::chrono::steady_clock::time_point deadline) {
    while (!can_fork_python()) {
        if (std::chrono::steady_clock::now() >= deadline) {
            return false;
        }
        gil_release released;
        released.begin();
        std::this_thread::yield();
    }
    return true;
}

capability_reply refused_snapshot(const refusal& why) {
    switch (why.what) {
        case refusal::kind::timeout: return reply_error(reply_code::timeout, "Python did not reply in time: " + why.why);
        case refusal::kind::busy: return reply_error(reply_code::busy, why.why);
        case refusal::kind::cancelled: return reply_error(reply_code::cancelled, why.why);
        case refusal::kind::gone: break;
    }
    return reply_error(reply_code::internal, why.why);
}

}  // namespace

result<void> snapshot_support() {
    const char* obstacle = sealed_child_obstacle();
    return obstacle == nullptr ? result<void>() : failure{.code = errc::not_allowed, .message = obstacle};
}

capability_reply evaluate_in_snapshot(session_state& session, const std::string& expression, const snapshot_limits& limits,
                                      const cancel_token& cancel) {
    const auto started = std::chrono::steady_clock::now();
    if (session.globals() == nullptr) {
        return reply_error(reply_code::internal, session.why_no_globals());
    }
    if (!wait_until_forkable(limits.deadline)) {
        return reply_error(reply_code::timeout, "a thread of the session imported modules until the deadline of the expression");
    }
    cancel_source stop;
    const auto request_stop = [&stop] { stop.request_stop(); };
    const cancel_callback<decltype(request_stop)> on_cancel(cancel, request_stop);
    const cancel_callback<decltype(request_stop)> on_end(session.python().stopping(), request_stop);
    std::optional<collector_pause> paused(std::in_place);
    gil_release released;
    const child_options options = {.deadline = limits.deadline,
                                   .memory = limits.memory,
                                   .max_document = max_escaped * (limits.max_chars + 2 * limits.max_output) + document_reserve,
                                   .on_signal = [&] {
                                       released.end();
                                       const bool interrupted = session.python().takes_interrupt();
                                       released.begin();
                                       return interrupted;
                                   }};
    const result<child_end> outcome = run_sealed_child(options, stop.get_token(),
                                                       {.in_child =
                                                            [&](int document) {
                                                                paused.reset();
                                                                evaluate_in_child(session, expression, limits, document);
                                                            },
                                                        .in_parent =
                                                            [&] {
                                                                paused.reset();
                                                                released.begin();
                                                            }});
    released.end();
    return snapshot_reply(outcome, describe(limits.deadline - started));
}

void post_to_snapshot(const python::session& session, std::string expression, snapshot_limits limits, cancel_token cancel,
                      unique_function<void(capability_reply)> done) {
    constexpr std::size_t max_described = 80;
    // The snapshot replies at its deadline. The queue replies if Python is stuck in other code.
    const std::shared_ptr<session_state>& state = session_access::state(session);
    const auto shared_done = std::make_shared<unique_function<void(capability_reply)>>(std::move(done));
    work item;
    item.what = pyaichat::detail::one_line(expression, max_described);
    item.deadline = limits.deadline + std::min<work::clock::duration>(overrun_grace, work::time_point::max() - limits.deadline);
    item.cancel = cancel;
    item.refuse = [shared_done](const refusal& why) { (*shared_done)(refused_snapshot(why)); };
    item.run = [shared_done, state, expression = std::move(expression), limits, cancel]() -> task {
        capability_reply reply = guarded([&] { return evaluate_in_snapshot(*state, expression, limits, cancel); },
                                         [](std::string_view what) { return reply_error(reply_code::internal, std::string(what)); });
        return [shared_done, reply = std::move(reply)]() mutable { (*shared_done)(std::move(reply)); };
    };
    state->python().queue().push(std::move(item));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
