#pragma once
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/policy/task_executor.hpp>

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// Runs calls one after another on the executor, and replies for calls that throw or are dropped.
class call_queue {
public:
    using body = unique_function<void(const capability_call&, capability_responder)>;

    explicit call_queue(body run);

    /// Queues a call. Submit the task, if one is returned: it passes the queued calls to `run`.
    [[nodiscard]] task add(capability_call call, capability_responder responder);
    /// Drops the queued calls, and waits for the call that is running.
    void close();

private:
    struct state;
    class drain;
    std::shared_ptr<state> state_;
};

/// Starts a thread for each task. Slow calls are rare, so a pool is not worth its cost.
struct thread_each {
    void submit(task work);
};

}  // namespace detail

/// A source whose calls run on an executor, as `deferred` returns it. Satisfies `reviewing_source` if `Source` does.
template <class Source, class Executor>
class deferred_source {
    static_assert(detail::is_source<Source>());
    static_assert(task_executor<Executor>, "the second argument of `deferred` is an executor, with `void submit(pyaichat::task)`");

public:
    deferred_source(Source source, Executor executor)
        : executor_(std::move(executor)), block_(std::make_unique<block>(std::move(source))) {}

    [[nodiscard]] result<capability_list> specs() const {
        if (const std::unique_lock idle(block_->running, std::try_to_lock); idle) {
            declared_ = std::as_const(block_->source).specs();
        }
        return declared_;
    }

    void invoke(const capability_call& call, capability_responder responder) {
        if (task work = block_->queue.add(call, std::move(responder))) {
            executor_.submit(std::move(work));
        }
    }

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch)
        requires(detail::has_review<Source>())
    {
        if (const std::unique_lock idle(block_->running, std::try_to_lock); idle) {
            return block_->source.review(batch);
        }
        return {batch.size(), call_decision::deny("an earlier call to the same source is still running; try again later")};
    }

private:
    struct block {
        explicit block(Source deferred) : source(std::move(deferred)) {}
        ~block() { queue.close(); }

        Source source;
        std::mutex running;  // locked while the source runs a call
        detail::call_queue queue{[this](const capability_call& call, capability_responder responder) {
            const std::lock_guard lock(running);
            source.invoke(call, std::move(responder));
        }};
    };

    Executor executor_;
    std::unique_ptr<block> block_;                                  // destroyed before the executor, so that no queued call is run
    mutable result<capability_list> declared_ = capability_list();  ///< from the last time that no call was running
};

/// Runs the calls of a source on an executor, or on a new thread, so that slow calls do not block the pumping thread:
/// `deferred(capability("search", ..., &search))`. The deadlines of the run hold while a call is running.
///
/// - The calls of the source run one at a time, in order, but not on the pumping thread. Host data that they use needs a lock.
/// - `specs` and `review` run on the pumping thread. While a call is running, the last declarations apply, and reviewed calls are denied.
/// - A queued call whose run no longer waits gets the reply `cancelled` and is not run. If a call throws, the reply is `internal`.
/// - A call that ignores its cancel token delays the calls after it.
/// - The destructor drops the queued calls, and waits for the running call, because that may use objects which the host destroys next.
template <class Source, std::move_constructible Executor = detail::thread_each>
[[nodiscard]] deferred_source<Source, Executor> deferred(Source source, Executor executor = {}) {
    return {std::move(source), std::move(executor)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
