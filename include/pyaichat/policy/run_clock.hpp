#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

#include <concepts>

namespace pyaichat::inline PYAICHAT_ABI {

/// Tells the time of runs. Called on the pumping thread; must not go backwards and must not throw.
/// A clock that also says `static constexpr bool real_time = true` passes by itself, so that `wait()` may sleep on it.
template <class C>
concept run_clock = requires(const C& clock) {
    { clock.now() } noexcept -> std::same_as<instant>;
};

/// Whether the clock's time passes by itself. A clock that does not say so has to be advanced by its owner.
template <class C>
inline constexpr bool is_real_time = [] {
    if constexpr (requires { C::real_time; }) {
        return static_cast<bool>(C::real_time);
    } else {
        return false;
    }
}();

/// The null model: no time passes, so no deadline is ever reached.
struct stopped_clock {
    [[nodiscard]] instant now() const noexcept { return {}; }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
