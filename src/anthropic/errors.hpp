#pragma once
#include "net/service_access.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <chrono>
#include <span>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Names for hints, and the secret that no message may show.
struct advice {
    net::service_names names = {};
    std::string_view url_variable = {};
};

/// Returns whether a document with status 200 is an error.
[[nodiscard]] bool is_error(const json& document);

/// Converts a response with an error status to a failure (wire document, section 8). `now` is for a `Retry-After` date.
[[nodiscard]] failure decode_error(int status, std::string_view body, std::span<const http_header> headers, const advice& hints,
                                   std::chrono::system_clock::time_point now);

/// Converts an error document of a response with status 200, or of a stream, to a failure.
[[nodiscard]] failure decode_error_document(const json& document, const advice& hints);

/// Returns whether a failure says that a thinking block in the request is not valid (sections 6.2 and 6.3).
[[nodiscard]] bool refuses_thinking(const failure& error);

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
