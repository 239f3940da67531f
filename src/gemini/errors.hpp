#pragma once
#include "gemini/error_document.hpp"

#include <pyaichat/policy/http_transport.hpp>

#include <chrono>
#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// What the texts for a person name, and what no text may show.
struct advice {
    std::string_view model = {};
    std::string_view key_variable = {};
    std::string_view model_variable = {};
    std::string_view secret = {};
};

/// The failure for a response with an error status (wire document, section 11). `now` turns a `Retry-After` date into a delay.
[[nodiscard]] failure decode_error(int status, std::string_view body, std::span<const http_header> headers, const advice& names,
                                   std::chrono::system_clock::time_point now);

/// The failure for `{"error": ...}` in a response with status 200, and in the middle of a stream.
[[nodiscard]] failure decode_error_member(const json& error, const advice& names);

/// `text` with every occurrence of `secret` replaced.
[[nodiscard]] std::string redact(std::string text, std::string_view secret);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
