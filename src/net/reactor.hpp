#pragma once
#include "net/poller.hpp"
#include "net/timer_heap.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Calls descriptors and timers when they are ready. Used by one thread at a time.
class reactor {
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// A null poller: no descriptor can be watched, and `wait` does not wait.
    explicit reactor(std::unique_ptr<poller> backend) noexcept : poller_(std::move(backend)) {}

    /// Watches the descriptor until `remove`. Returns false if the system refuses.
    [[nodiscard]] bool add(int descriptor, poll_target& target);
    void remove(int descriptor, poll_target& target) noexcept;
    /// Calls `target.ready()` in the next turn, also without an event.
    void again(poll_target& target);

    [[nodiscard]] timer_heap& timers() noexcept { return timers_; }
    /// Returns the time of the current turn.
    [[nodiscard]] time_point now() const noexcept { return now_; }
    /// Reads the clock for the work that precedes a turn.
    void update_now() noexcept { now_ = std::chrono::steady_clock::now(); }

    /// Waits for descriptors and timers, at most until `until`, and calls those that are ready. Returns whether there were any.
    bool turn(time_point until);

    /// Sets the time after which no more work is begun, in this turn and outside of turns: see `over`. `time_point::max()`: no limit.
    void limit_work(time_point until) noexcept { limit_ = until; }
    /// Returns whether the rest of the work has to wait for the next turn.
    [[nodiscard]] bool over() const noexcept { return limit_ != time_point::max() && std::chrono::steady_clock::now() >= limit_; }

    /// Returns whether a target waits for the next turn without an event.
    [[nodiscard]] bool has_ready() const noexcept { return !next_.empty(); }
    /// See `poller::descriptor`.
    [[nodiscard]] int descriptor() const noexcept { return poller_ ? poller_->descriptor() : -1; }
    /// Makes `descriptor()` readable when the earliest timer is due.
    void set_alarm() noexcept;

private:
    timer_heap timers_ = {};
    std::unique_ptr<poller> poller_;
    std::vector<poll_target*> current_ = {};  ///< of this turn; null: removed during the turn
    std::vector<poll_target*> next_ = {};
    time_point now_ = std::chrono::steady_clock::now();
    time_point limit_ = time_point::max();
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
