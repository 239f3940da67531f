#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Reads the monotonic system clock. Satisfies `run_clock`. Thread-safe.
class steady_clock {
public:
    static constexpr bool real_time = true;
    [[nodiscard]] instant now() const noexcept {
        return instant(std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch()));
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
