#pragma once
#include "gemini/errors.hpp"

#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Exchanges with the service: where it is, the key, and what its answers come to. The key goes into the header and into no text. Any
/// thread, also several at once.
class service {
public:
    service(const gemini_options& options, any_http_transport transport) : options_(options), transport_(std::move(transport)) {}

    /// `GET` of a path behind the version: "/models?pageSize=1000".
    [[nodiscard]] result<json> get(const std::string& path, duration timeout, const cancel_token& cancel) const;
    /// `POST` to a method of the model: "countTokens".
    [[nodiscard]] result<json> post(const std::string& method, std::string body, duration timeout, const cancel_token& cancel) const;
    /// `streamGenerateContent`: what comes is shown at once.
    [[nodiscard]] result<model_response> stream(std::string body, duration timeout, const std::string& writer, const delta_sink& sink,
                                                const cancel_token& cancel) const;

    /// Whether the key can be sent at all.
    [[nodiscard]] result<void> usable_key() const;

private:
    [[nodiscard]] advice names() const noexcept;
    [[nodiscard]] http_request request(const char* method, const std::string& path, duration timeout) const;
    [[nodiscard]] result<json> exchange(const http_request& wire, const cancel_token& cancel) const;
    [[nodiscard]] failure refusal(const http_response& response) const;
    [[nodiscard]] failure without_connection(failure error) const;
    [[nodiscard]] failure redacted(failure error) const;

    const gemini_options& options_;
    any_http_transport transport_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
