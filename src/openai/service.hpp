#pragma once
#include "openai/errors.hpp"
#include "openai/request_encoder.hpp"

#include <pyaichat/openai/openai_options.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <atomic>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Makes requests to a service and reads its responses, without the API key in any message. Does not send them: attempts share it with the
/// provider, which has the transport. Thread-safe.
class service {
public:
    explicit service(openai_options options);
    service(const service&) = delete;
    service& operator=(const service&) = delete;

    [[nodiscard]] const openai_options& options() const noexcept { return options_; }
    [[nodiscard]] request_encoder& encoder() noexcept { return encoder_; }
    [[nodiscard]] error_style errors() const noexcept;
    /// Returns whether the service has the Responses API.
    [[nodiscard]] bool uses_responses_api() const noexcept { return responses_; }

    /// Whether the model takes functions only with the effort `none`, as the service has said.
    std::atomic<bool> without_reasoning = false;

    /// Fails with `authentication` if the API key is needed and missing, or cannot be sent in a header.
    [[nodiscard]] result<void> usable_key() const;
    /// Makes a `GET` request for a path after the base URL: "/models". Fails like `usable_key`.
    [[nodiscard]] result<http_request> get(const std::string& path, duration timeout) const;
    /// Makes a request for one completion. Fails like `usable_key`.
    [[nodiscard]] result<http_request> post(std::string body, duration timeout) const;

    /// Parses the body of a response with status 200.
    [[nodiscard]] result<json> read_body(std::string_view body, json_budget& budget) const;
    /// Converts a response with another status to an attempt. A blocked prompt is a response.
    [[nodiscard]] result<model_response> refused_attempt(const http_response& response) const;
    /// Converts a response with another status to a failure.
    [[nodiscard]] failure refusal(const http_response& response) const;

private:
    [[nodiscard]] http_request request(const char* method, const std::string& path, duration timeout) const;

    const openai_options options_;
    std::string base_;
    std::string model_;
    std::string key_variable_;
    bool responses_;
    bool key_optional_;
    request_encoder encoder_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
