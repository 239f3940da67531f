#pragma once
#include "anthropic/errors.hpp"
#include "anthropic/request_encoder.hpp"

#include <pyaichat/anthropic/anthropic_options.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Returns the base URL without slashes and without `/v1` at its end.
[[nodiscard]] std::string base_url(const anthropic_options& options);

/// Makes requests to the Messages API and reads its responses, without the API key in any message. Does not send them: attempts share it
/// with the provider, which has the transport. Thread-safe.
class service {
public:
    explicit service(anthropic_options options) : options_(std::move(options)), base_(base_url(options_)), encoder_(options_) {}
    service(const service&) = delete;
    service& operator=(const service&) = delete;

    [[nodiscard]] const anthropic_options& options() const noexcept { return options_; }
    [[nodiscard]] request_encoder& encoder() noexcept { return encoder_; }
    [[nodiscard]] advice hints() const noexcept;

    /// Fails with `authentication` if the API key cannot be sent in a header, or is missing for a service that is not local.
    [[nodiscard]] result<void> usable_key() const;
    /// Makes a `GET` request for a path after the version: "/models?limit=1000". Fails like `usable_key`.
    [[nodiscard]] result<http_request> get(const std::string& path, duration timeout) const;
    /// Makes a `POST` request to a path after the version: "/messages". Fails like `usable_key`.
    [[nodiscard]] result<http_request> post(const std::string& path, std::string body, duration timeout) const;

    /// Parses the body of a response with status 200, unless it is an error document.
    [[nodiscard]] result<json> read_body(std::string_view body, json_budget& budget) const;
    /// Converts a response with another status.
    [[nodiscard]] failure refusal(const http_response& response) const;

private:
    [[nodiscard]] http_request request(const char* method, const std::string& path, duration timeout) const;

    const anthropic_options options_;
    std::string base_;
    request_encoder encoder_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
