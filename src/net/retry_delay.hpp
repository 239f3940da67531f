#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Parses a protobuf duration: "56s", "0.539477544s". Returns `nullopt` if it is not valid or negative.
[[nodiscard]] std::optional<duration> parse_duration(std::string_view text);

/// Parses a `Retry-After` header: seconds, with or without a fraction, or a date ("Sat, 21 Nov 2026 22:00:00 GMT"; a past date gives 0).
[[nodiscard]] std::optional<duration> parse_retry_after(std::string_view text, std::chrono::system_clock::time_point now);

/// Parses a sum of durations: "1s", "6m0s", "1h2m3.5s", "12ms". Returns `nullopt` if it is not valid.
[[nodiscard]] std::optional<duration> parse_compound_duration(std::string_view text);

/// Finds a delay in a message that contains "retry in 12.3s", "retry in 539.47ms" or "try again in 6m0s".
[[nodiscard]] std::optional<duration> delay_in_words(std::string_view message);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
