#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

#include <concepts>

namespace pyaichat::inline PYAICHAT_ABI {

/// The clock of runs. Called on the pumping thread. Must not go backwards and must not throw. A clock whose time passes by itself has a
/// member `static constexpr bool real_time = true`; `run::wait()` requires it.
template <class C>
concept run_clock = requires(const C& clock) {
    { clock.now() } noexcept -> std::same_as<instant>;
};

/// Whether the time of the clock passes by itself. Otherwise its owner has to advance it.
template <class C>
inline constexpr bool is_real_time = requires { requires static_cast<bool>(C::real_time); };

/// The null clock: its time stands still, so no deadline passes.
struct stopped_clock {
    [[nodiscard]] instant now() const noexcept { return {}; }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
