#pragma once
#include <pyaichat/core/time.hpp>

namespace pyaichat::inline v0::testing {

/// A clock that stands still until it is advanced. One thread.
class manual_clock {
public:
    [[nodiscard]] instant now() const noexcept { return now_; }
    void advance(duration span) noexcept { now_ = after(now_, span); }

private:
    instant now_ = {};
};

}  // namespace pyaichat::inline v0::testing
