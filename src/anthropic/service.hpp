#pragma once
#include "anthropic/errors.hpp"

#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/anthropic/codec.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Returns the base URL without slashes and without `/v1` at its end.
[[nodiscard]] std::string base_url(const anthropic_options& options);

/// Sends requests to the Messages API and converts error responses to failures, without the API key in any message. Thread-safe.
class service {
public:
    service(const anthropic_options& options, any_http_transport transport)
        : options_(options), base_(base_url(options)), transport_(std::move(transport)) {}

    /// Sends a `GET` request for a path after the version: "/models?limit=1000".
    [[nodiscard]] result<json> get(const std::string& path, duration timeout, const cancel_token& cancel) const;
    /// Sends a `POST` request to a path after the version: "/messages".
    [[nodiscard]] result<json> post(const std::string& path, std::string body, duration timeout, const cancel_token& cancel) const;
    /// Creates a message, and passes text and thoughts to the sink as they arrive.
    [[nodiscard]] result<model_response> stream(std::string body, duration timeout, const origin& from, const delta_sink& sink,
                                                const cancel_token& cancel) const;

    /// Fails with `authentication` if the API key cannot be sent in a header, or is missing for a service that is not local.
    [[nodiscard]] result<void> usable_key() const;
    [[nodiscard]] advice hints() const noexcept;

private:
    [[nodiscard]] http_request request(const char* method, const std::string& path, duration timeout) const;
    [[nodiscard]] http_request post_request(const std::string& path, std::string body, duration timeout) const;
    [[nodiscard]] result<json> exchange(const http_request& wire, const cancel_token& cancel) const;
    [[nodiscard]] failure refusal(const http_response& response) const;

    const anthropic_options& options_;
    std::string base_;
    any_http_transport transport_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
