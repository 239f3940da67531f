#pragma once
#include "net/service_access.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/openai/openai_profile.hpp>

#include <chrono>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// What a refusal depends on beside the response.
struct error_style {
    net::service_names names = {};
    std::string_view url_variable = {};
    const openai_profile* profile = nullptr;
};

/// Returns whether a document with status 200 is an error.
[[nodiscard]] bool is_error(const json& document);

/// Converts a response with an error status (wire document, section 7). A blocked prompt and a call that the service could not read are
/// responses. `now` is for a `Retry-After` date.
[[nodiscard]] result<model_response> decode_refusal(int status, std::string_view body, std::span<const http_header> headers,
                                                    const error_style& style, std::chrono::system_clock::time_point now);

/// Converts an error document of a response with status 200, or in a stream.
[[nodiscard]] result<model_response> decode_error_document(const json& document, const error_style& style);

/// Returns whether a failure says that the model takes functions only without reasoning (wire document, section 2.1).
[[nodiscard]] bool demands_no_reasoning(const failure& error);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
