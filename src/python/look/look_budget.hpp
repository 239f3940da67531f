#pragma once
#include <pyaichat/config/config.hpp>

#include <chrono>
#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The work that one evaluation may do. A step is about the work of reading one object.
class look_budget {
public:
    /// The clock is first read after this many steps, so a small evaluation never fails on a busy machine.
    static constexpr std::size_t steps_between_clocks = 256;

    explicit look_budget(std::chrono::steady_clock::duration time = std::chrono::milliseconds(20), std::size_t steps = 2'000'000,
                         std::size_t bytes = 32U << 20)
        : end_(std::chrono::steady_clock::now() + time), steps_(steps), bytes_(bytes) {}

    /// Takes `steps` from the budget. Returns false if the steps or the time are used up.
    [[nodiscard]] bool spend(std::size_t steps) {
        since_clock_ += steps;
        if (steps > steps_ || timed_out_) {
            return false;
        }
        steps_ -= steps;
        if (since_clock_ >= steps_between_clocks) {
            since_clock_ = 0;
            timed_out_ = std::chrono::steady_clock::now() >= end_;
        }
        return !timed_out_;
    }

    /// Takes the size of a result from the budget. Returns false if the results together are too large.
    [[nodiscard]] bool allocate(std::size_t bytes) {
        const bool fits = bytes <= bytes_;
        bytes_ -= fits ? bytes : 0;
        return fits;
    }

    [[nodiscard]] bool timed_out() const noexcept { return timed_out_; }

private:
    std::chrono::steady_clock::time_point end_;
    std::size_t steps_;
    std::size_t bytes_;
    std::size_t since_clock_ = 0;
    bool timed_out_ = false;
};

/// Limits of one result.
inline constexpr std::size_t max_look_text = 1U << 20;  ///< code points or bytes
inline constexpr std::size_t max_look_items = 100'000;
inline constexpr std::size_t max_look_bits = 1U << 16;  ///< of an integer
inline constexpr std::size_t max_look_digits = 4000;    ///< of an integer as decimal text, which takes quadratic time
inline constexpr std::size_t max_look_width = 100'000;  ///< widths and precisions in formats

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
