#pragma once
#include "gemini/errors.hpp"

#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Normalizes a model name to exactly one prefix: "models/gemini-3.8-flash" or "tunedModels/mine".
[[nodiscard]] std::string model_name(std::string_view model);

/// Returns the URL path of a model after the API version: "/models/gemini-3.8-flash".
[[nodiscard]] std::string model_path(std::string_view model);

/// Sends requests to the Gemini API and converts error responses to failures, without the API key in any message. Thread-safe.
class service {
public:
    service(const gemini_options& options, any_http_transport transport) : options_(options), transport_(std::move(transport)) {}

    /// Sends a `GET` request for a path after the API version: "/models?pageSize=1000".
    [[nodiscard]] result<json> get(const std::string& path, duration timeout, const cancel_token& cancel) const;
    /// Sends a `POST` request to a method of the model: "countTokens".
    [[nodiscard]] result<json> post(const std::string& method, std::string body, duration timeout, const cancel_token& cancel) const;
    /// Calls `streamGenerateContent` and passes text and thoughts to the sink as they arrive.
    [[nodiscard]] result<model_response> stream(std::string body, duration timeout, const std::string& writer, const delta_sink& sink,
                                                const cancel_token& cancel) const;

    /// Fails with `authentication` if the API key is missing or cannot be sent in a header.
    [[nodiscard]] result<void> usable_key() const;

private:
    [[nodiscard]] advice names() const noexcept;
    [[nodiscard]] http_request request(const char* method, const std::string& path, duration timeout) const;
    [[nodiscard]] http_request call_of(const std::string& method, std::string body, duration timeout) const;
    [[nodiscard]] result<json> exchange(const http_request& wire, const cancel_token& cancel) const;
    [[nodiscard]] failure refusal(const http_response& response) const;

    const gemini_options& options_;
    any_http_transport transport_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
