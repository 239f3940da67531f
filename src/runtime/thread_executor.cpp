#include <pyaichat/runtime/thread_executor.hpp>

#include "runtime/process_id.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Shared by the executor and its threads, because a detached thread may outlive the executor.
struct thread_executor::state : std::enable_shared_from_this<thread_executor::state> {
    explicit state(thread_executor_options chosen) : options(chosen) {
        options.max_threads = std::max<std::size_t>(options.max_threads, 1);
        options.idle = bounded_wait(options.idle);
        options.shutdown = bounded_wait(options.shutdown);
    }

    thread_executor_options options;
    std::mutex mutex;
    std::condition_variable work_or_close;
    std::condition_variable thread_ended;
    std::deque<task> queue;
    std::list<cancel_source> running;
    std::size_t threads = 0;
    std::size_t idle = 0;
    bool closed = false;
    std::atomic<long> process = 0;  ///< the process of the threads

    /// Returns whether the threads are those of a parent process.
    [[nodiscard]] bool forked() const noexcept { return process != 0 && process != detail::process_id(); }
    void work();
    void close() noexcept;
};

void thread_executor::state::work() {
    std::unique_lock lock(mutex);
    for (;;) {
        if (queue.empty() && !closed) {
            ++idle;
            work_or_close.wait_for(lock, options.idle, [&] { return closed || !queue.empty(); });
            --idle;
        }
        if (closed || queue.empty()) {
            break;
        }
        task next = std::move(queue.front());
        queue.pop_front();
        const auto mine = running.insert(running.end(), next.stop());
        lock.unlock();
        next();
        next = {};  // destroys what the task owns before it is removed from `running`
        lock.lock();
        running.erase(mine);
    }
    --threads;
    thread_ended.notify_all();
}

/// The copies of the executor share a pointer that closes. The threads share one that does not.
thread_executor::thread_executor(thread_executor_options options) {
    const auto shared = std::make_shared<state>(options);
    state_ = std::shared_ptr<state>(shared.get(), [shared](state* closing) { closing->close(); });
}

result<void> thread_executor::check() const {
    if (state_->forked()) {
        return failure{.code = errc::invalid_state,
                       .message = "the program has forked after the thread_executor was started: this process has none of its threads",
                       .hint = "After a fork, make a new agent with a new executor in the child process."};
    }
    return {};
}

void thread_executor::submit(task work) {
    if (state_->forked()) {
        return;  // the mutex may be locked for ever
    }
    task dropped;  // destroyed after the mutex is released: a dropped task may reply to its run
    {
        const std::lock_guard lock(state_->mutex);
        state_->process = detail::process_id();
        state_->queue.push_back(std::move(work));
        if (state_->queue.size() > state_->idle && state_->threads < state_->options.max_threads) {
            guarded(
                [&] {
                    std::thread([self = state_->shared_from_this()] { self->work(); }).detach();
                    ++state_->threads;
                },
                [](std::string_view) {});  // the system refused the thread
            if (state_->threads == 0) {
                dropped = std::move(state_->queue.back());
                state_->queue.pop_back();
            }
        }
    }
    state_->work_or_close.notify_one();
}

std::size_t thread_executor::thread_count() const {
    if (state_->forked()) {
        return 0;
    }
    const std::lock_guard lock(state_->mutex);
    return state_->threads;
}

void thread_executor::state::close() noexcept {
    if (forked()) {
        return;
    }
    std::deque<task> dropped;
    std::vector<cancel_source> cancelled;
    {
        const std::lock_guard lock(mutex);
        closed = true;
        dropped.swap(queue);
        cancelled.assign(running.begin(), running.end());
    }
    work_or_close.notify_all();
    dropped.clear();
    for (cancel_source& source : cancelled) {
        source.request_stop();
    }
    std::unique_lock lock(mutex);
    thread_ended.wait_for(lock, options.shutdown, [&] { return threads == 0; });
}

}  // namespace pyaichat::inline PYAICHAT_ABI
