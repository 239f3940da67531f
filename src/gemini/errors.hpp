#pragma once
#include <pyaichat/core/failure.hpp>
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline v0::gemini_codec {

/// What the texts for a person name.
struct advice {
    std::string_view model = {};
    std::string_view key_variable = {};
    std::string_view model_variable = {};
};

/// The failure for a response with an error status (wire document, section 11). `now` turns a `Retry-After` date into a delay.
[[nodiscard]] failure decode_error(int status, std::string_view body, std::span<const http_header> headers, const advice& names,
                                   std::chrono::system_clock::time_point now);

/// The failure for `{"error": ...}` in a response with status 200.
[[nodiscard]] failure decode_error_member(const json& error, const advice& names);

/// The span of a protobuf duration text: "56s", "0.539477544s". Nothing when it is none, or negative.
[[nodiscard]] std::optional<duration> parse_duration(std::string_view text);

/// The delay of a `Retry-After` header: whole or broken seconds, or a date ("Sat, 21 Nov 2026 22:00:00 GMT"; one in the past is no delay).
[[nodiscard]] std::optional<duration> parse_retry_after(std::string_view text, std::chrono::system_clock::time_point now);

/// `text` with every occurrence of `secret` replaced.
[[nodiscard]] std::string redact(std::string text, std::string_view secret);

}  // namespace pyaichat::inline v0::gemini_codec
