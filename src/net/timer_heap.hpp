#pragma once
#include <pyaichat/config/config.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

class timer_heap;

/// A function that is called once, at a time that can be changed. Cancelled by its destructor.
class timer {
public:
    timer(timer_heap& heap, std::function<void()> action) : heap_(heap), action_(std::move(action)) {}
    timer(const timer&) = delete;
    timer& operator=(const timer&) = delete;
    ~timer() { cancel(); }

    void set(std::chrono::steady_clock::time_point at);
    void cancel() noexcept;

private:
    friend class timer_heap;
    static constexpr std::size_t not_set = std::numeric_limits<std::size_t>::max();

    timer_heap& heap_;
    std::function<void()> action_;
    std::chrono::steady_clock::time_point at_ = {};
    std::size_t place_ = not_set;
};

/// The timers of a loop, the earliest first. Used by one thread at a time.
class timer_heap {
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// Returns the time of the earliest timer, or `time_point::max()`.
    [[nodiscard]] time_point first() const noexcept { return heap_.empty() ? time_point::max() : heap_.front()->at_; }
    /// Calls the action of the earliest timer if it is due, and returns whether it was. An action may set and destroy timers.
    bool expire_first(time_point now);

private:
    friend class timer;
    void insert(timer& entry);
    void erase(timer& entry) noexcept;
    void put(std::size_t place, timer* entry) noexcept;
    void move_up(std::size_t place) noexcept;
    void move_down(std::size_t place) noexcept;

    std::vector<timer*> heap_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
