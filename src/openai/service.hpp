#pragma once
#include "openai/decode.hpp"
#include "openai/errors.hpp"

#include <pyaichat/openai/openai_options.hpp>
#include <pyaichat/policy/any_http_transport.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Sends requests to a service and converts error responses, without the API key in any message. Thread-safe.
class service {
public:
    service(const openai_options& options, any_http_transport transport);

    /// Sends a `GET` request for a path after the base URL: "/models".
    [[nodiscard]] result<json> get(const std::string& path, duration timeout, const cancel_token& cancel) const;
    /// Sends a request for one completion. If the options say so, passes text and reasoning to the sink as they arrive.
    [[nodiscard]] result<model_response> complete(std::string body, duration timeout, const decode_style& decoding, const delta_sink& sink,
                                                  const cancel_token& cancel) const;

    /// Fails with `authentication` if the API key is needed and missing, or cannot be sent in a header.
    [[nodiscard]] result<void> usable_key() const;

private:
    [[nodiscard]] error_style errors() const noexcept;
    [[nodiscard]] http_request request(const char* method, const std::string& path, duration timeout) const;
    [[nodiscard]] result<model_response> whole(const http_request& wire, const decode_style& decoding, const cancel_token& cancel) const;
    [[nodiscard]] result<model_response> streamed(const http_request& wire, const decode_style& decoding, const delta_sink& sink,
                                                  const cancel_token& cancel) const;
    [[nodiscard]] result<model_response> refusal(const http_response& response) const;

    const openai_options& options_;
    std::string base_;
    std::string model_;
    std::string key_variable_;
    bool responses_;
    bool key_optional_;
    any_http_transport transport_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
