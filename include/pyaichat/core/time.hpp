#pragma once
#include <pyaichat/config/config.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// A span of time in signed nanoseconds.
using duration = std::chrono::nanoseconds;

/// The time line of one clock policy. It has no `now()`: time comes from the policy, so tests can stop it.
struct timeline {
    using rep = std::chrono::nanoseconds::rep;
    using period = std::chrono::nanoseconds::period;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<timeline>;
    static constexpr bool is_steady = true;
};

/// A point in time of one clock policy. Instants of different clocks must not be compared.
using instant = timeline::time_point;

/// Returns `from + span`, saturated at `instant::max()`.
[[nodiscard]] constexpr instant after(instant from, duration span) noexcept {
    if (span > duration::zero() && from > instant::max() - span) {
        return instant::max();
    }
    return from + span;
}

/// Longer than any wait, and short enough for the arithmetic of every clock and condition variable.
inline constexpr duration longest_wait = std::chrono::hours(24);

/// Clamps a time to wait: zero to `longest_wait`.
[[nodiscard]] constexpr duration bounded_wait(duration span) noexcept {
    return std::clamp(span, duration::zero(), longest_wait);
}

/// Formats a duration for a person or a model: "8 s", "1.5 s", "250 ms", "12 us".
[[nodiscard]] std::string describe(duration span);

}  // namespace pyaichat::inline PYAICHAT_ABI
