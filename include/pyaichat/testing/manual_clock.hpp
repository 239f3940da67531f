#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A clock that advances only when `advance` is called. Models `run_clock`. Not thread-safe.
class manual_clock {
public:
    /// Returns the current time, at first `instant{}`.
    [[nodiscard]] instant now() const noexcept { return now_; }
    /// Adds `span` to the time, and stops at `instant::max()`.
    void advance(duration span) noexcept { now_ = after(now_, span); }

private:
    instant now_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
