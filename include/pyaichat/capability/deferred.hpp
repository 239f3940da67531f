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

/// Runs calls one after another, each on the executor's thread, and replies for those that throw or come to nothing.
class call_queue : public std::enable_shared_from_this<call_queue> {
public:
    using body = unique_function<void(const capability_call&, capability_responder)>;

    call_queue();
    call_queue(const call_queue&) = delete;
    call_queue& operator=(const call_queue&) = delete;
    ~call_queue();

    /// Queues a call. The work that comes back, if any, is to be submitted: it runs all calls that are queued by then and later, by `run`,
    /// which has to be there until `close`.
    [[nodiscard]] task add(capability_call call, capability_responder responder, body& run);
    /// Waits for the call that is running, and drops the others.
    void close();

private:
    struct state;
    class drain;
    std::unique_ptr<state> state_;
};

/// Starts a thread for each piece of work: slow calls are rare, and nothing has to be kept for them.
struct thread_each {
    void submit(task work);
};

}  // namespace detail

/// A source whose calls run elsewhere than on the pumping thread, as `deferred` makes it. Models `capability_source`, with `review` if the
/// source has it.
template <capability_source Source, task_executor Executor>
class deferred_source {
public:
    deferred_source(Source source, Executor executor)
        : block_(std::make_unique<block>(std::move(source))), executor_(std::move(executor)) {}
    deferred_source(deferred_source&&) noexcept = default;
    deferred_source& operator=(deferred_source&&) = delete;
    ~deferred_source() {
        if (block_) {
            block_->queue->close();
        }
    }

    [[nodiscard]] result<capability_list> specs() const {
        if (const std::unique_lock free(block_->at_work, std::try_to_lock); free) {
            declared_ = std::as_const(block_->source).specs();
        }
        return declared_;
    }

    void invoke(const capability_call& call, capability_responder responder) {
        if (task work = block_->queue->add(call, std::move(responder), block_->run)) {
            executor_.submit(std::move(work));
        }
    }

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch)
        requires(detail::has_review<Source>())
    {
        const std::unique_lock free(block_->at_work, std::try_to_lock);
        return free ? block_->source.review(batch)
                    : std::vector<call_decision>(batch.size(), call_decision::deny("an earlier call of its source is still running; "
                                                                                   "try again later"));
    }

private:
    struct block {
        explicit block(Source from) : source(std::move(from)) {}

        Source source;
        std::mutex at_work;  // held while the source runs a call
        std::shared_ptr<detail::call_queue> queue = std::make_shared<detail::call_queue>();
        detail::call_queue::body run = [this](const capability_call& call, capability_responder responder) {
            const std::lock_guard working(at_work);
            source.invoke(call, std::move(responder));
        };
    };

    std::unique_ptr<block> block_;
    Executor executor_;
    mutable result<capability_list> declared_ = capability_list();  ///< as of the last time that the source could be asked
};

/// Runs a source's calls on an executor, or on threads of its own, so that a slow one does not hold the thread that pumps: `deferred(
/// capability("search", ..., &search))`. The run's deadlines then hold while it is at work.
///
/// What that means for the source: its calls run one at a time, in order, but not on the pumping thread, so what they touch of the host
/// needs a lock; it is asked for its declarations, and to review calls, on the pumping thread, and never while one of its calls runs (then
/// the last declarations hold, and reviewed calls are denied). A call whose run has given up while it was queued is not run any more.
/// Something thrown is the reply `internal`. A call that ignores its token keeps the next ones waiting. The destructor drops what is queued
/// and waits for the call that is running, since that may touch what its host destroys next.
template <capability_source Source>
[[nodiscard]] deferred_source<Source, detail::thread_each> deferred(Source source) {
    return {std::move(source), detail::thread_each{}};
}
template <capability_source Source, task_executor Executor>
    requires std::move_constructible<Executor>
[[nodiscard]] deferred_source<Source, Executor> deferred(Source source, Executor executor) {
    return {std::move(source), std::move(executor)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
