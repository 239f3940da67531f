#include "agent/machine/retry.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): its state is one number, which a snapshot can store.
std::uint64_t next_random(std::uint64_t& state) noexcept {
    std::uint64_t mixed = state += 0x9E3779B97F4A7C15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

}  // namespace

bool is_transient(errc code) noexcept {
    return code == errc::connection_failed || code == errc::timeout || code == errc::rate_limited || code == errc::unavailable;
}

duration retry_delay(const failure& error, int retry, std::uint64_t& random) noexcept {
    if (error.retry_after) {
        return std::max(*error.retry_after, duration::zero());
    }
    const duration base = std::chrono::milliseconds(500) * (std::int64_t{1} << std::clamp(retry - 1, 0, 16));
    // Up to a quarter more: runs that failed together should not retry together.
    return base + base / 1024 * static_cast<std::int64_t>(next_random(random) % 256);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
