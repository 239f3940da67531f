#pragma once
#include <pyaichat/core/failure.hpp>

#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Whether another attempt may help: connections, 408, 429 and most 5xx.
[[nodiscard]] bool is_transient(errc code) noexcept;

/// How long to wait before retry number `retry` (from 1): what the service asked for, else exponential from 500 ms with jitter.
[[nodiscard]] duration retry_delay(const failure& error, int retry, std::uint64_t& random) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
