#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/core/time.hpp>

#include <chrono>
#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// The span of a protobuf duration text: "56s", "0.539477544s". Nothing when it is none, or negative.
[[nodiscard]] std::optional<duration> parse_duration(std::string_view text);

/// The delay of a `Retry-After` header: whole or broken seconds, or a date ("Sat, 21 Nov 2026 22:00:00 GMT"; one in the past is no delay).
[[nodiscard]] std::optional<duration> parse_retry_after(std::string_view text, std::chrono::system_clock::time_point now);

/// "Please retry in 12.3s." and "Please retry in 539.47ms" at the end of a message.
[[nodiscard]] std::optional<duration> delay_in_words(std::string_view message);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
