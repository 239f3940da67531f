#pragma once
#include <pyaichat/core/failure.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether a retry may help: failed connections, timeouts, 408, 429 and most 5xx.
[[nodiscard]] bool is_transient(errc code) noexcept;

/// Returns the delay before retry number `retry` (from 1): `retry_after`, else exponential backoff from 500 ms with jitter.
[[nodiscard]] duration retry_delay(const failure& error, int retry, std::uint64_t& random) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
