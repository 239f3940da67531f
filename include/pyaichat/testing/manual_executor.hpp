#pragma once
#include <pyaichat/core/task.hpp>

#include <cstddef>
#include <deque>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Keeps tasks until the test runs them, so that "in the background" is a line of the test. One thread.
class manual_executor {
public:
    void submit(task work) { queue_.push_back(std::move(work)); }

    [[nodiscard]] std::size_t pending() const noexcept { return queue_.size(); }

    /// Runs the oldest task; false when there is none.
    bool run_one() {
        if (queue_.empty()) {
            return false;
        }
        task work = std::move(queue_.front());
        queue_.pop_front();
        work();
        return true;
    }

    /// Runs tasks until there are none, those that were added meanwhile included.
    void run_all() {
        while (run_one()) {
        }
    }

    /// Destroys all tasks unrun, as an executor does that goes away.
    void drop_all() { queue_.clear(); }

private:
    std::deque<task> queue_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
