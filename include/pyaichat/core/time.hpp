#pragma once
#include <pyaichat/config/config.hpp>

#include <algorithm>
#include <chrono>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// A span of time; nanoseconds, signed.
using duration = std::chrono::nanoseconds;

/// The time line of one clock policy. It has no `now()`: the time enters from the policy, so that tests can stand still.
struct timeline {
    using rep = std::chrono::nanoseconds::rep;
    using period = std::chrono::nanoseconds::period;
    using duration = std::chrono::nanoseconds;
    using time_point = std::chrono::time_point<timeline>;
    static constexpr bool is_steady = true;
};

/// A point on that time line. Instants of two clocks must not be compared.
using instant = timeline::time_point;

/// `from + span`, saturated instead of overflowing (a host may ask for `duration::max()`).
[[nodiscard]] constexpr instant after(instant from, duration span) noexcept {
    if (span > duration::zero() && from > instant::max() - span) {
        return instant::max();
    }
    return from + span;
}

/// Longer than anybody waits, and short enough for the arithmetic of every clock and condition variable.
inline constexpr duration longest_wait = std::chrono::hours(24);

/// `span`, clamped to what can be waited for: zero to `longest_wait`.
[[nodiscard]] constexpr duration bounded_wait(duration span) noexcept {
    return std::clamp(span, duration::zero(), longest_wait);
}

/// "8 s", "1.5 s", "250 ms", "12 us": for texts that a person or a model reads.
[[nodiscard]] std::string describe(duration span);

}  // namespace pyaichat::inline PYAICHAT_ABI
