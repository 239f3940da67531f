#pragma once
#include <pyaichat/core/task.hpp>

#include <cstddef>
#include <deque>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Queues tasks until the test runs them. Models `task_executor`. Not thread-safe.
class manual_executor {
public:
    /// Appends a task to the queue and returns.
    void submit(task work) { queue_.push_back(std::move(work)); }
    /// Returns the number of queued tasks.
    [[nodiscard]] std::size_t pending() const noexcept { return queue_.size(); }
    /// Runs the oldest task. Returns false if the queue is empty.
    bool run_one() {
        if (queue_.empty()) {
            return false;
        }
        task work = std::move(queue_.front());
        queue_.pop_front();
        work();
        return true;
    }
    /// Runs tasks until the queue is empty, including the tasks that these tasks submit.
    void run_all() {
        while (run_one()) {
        }
    }
    /// Destroys all tasks without running them, like an executor that shuts down.
    void drop_all() { queue_.clear(); }

private:
    std::deque<task> queue_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
