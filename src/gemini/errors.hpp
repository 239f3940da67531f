#pragma once
#include "net/service_access.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <chrono>
#include <span>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

using advice = net::service_names;

/// Returns the `error` of an error document, or null. The document may be in an array, as in a stream without `alt=sse`.
[[nodiscard]] const json* error_member(const json& document);

/// Converts a response with an error status to a failure (wire document, section 11). `now` is for a `Retry-After` date.
[[nodiscard]] failure decode_error(int status, std::string_view body, std::span<const http_header> headers, const advice& names,
                                   std::chrono::system_clock::time_point now);

/// Converts the `error` object of a response with status 200, or in a stream, to a failure.
[[nodiscard]] failure decode_error_member(const json& error, const advice& names);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
