#pragma once
#include "gemini/errors.hpp"
#include "gemini/request_encoder.hpp"

#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Normalizes a model name to exactly one prefix: "models/gemini-3.8-flash" or "tunedModels/mine".
[[nodiscard]] std::string model_name(std::string_view model);

/// Returns the URL path of a model after the API version: "/models/gemini-3.8-flash".
[[nodiscard]] std::string model_path(std::string_view model);

/// Makes requests to the Gemini API and reads its responses, without the API key in any message. Does not send them: attempts share it with
/// the provider, which has the transport. Thread-safe.
class service {
public:
    explicit service(gemini_options options)
        : options_(std::move(options)), model_url_(url(model_path(options_.model)) + ":"), encoder_(options_) {}
    service(const service&) = delete;
    service& operator=(const service&) = delete;

    [[nodiscard]] const gemini_options& options() const noexcept { return options_; }
    [[nodiscard]] request_encoder& encoder() noexcept { return encoder_; }
    [[nodiscard]] advice names() const noexcept;

    /// Fails with `authentication` if the API key is missing or cannot be sent in a header.
    [[nodiscard]] result<void> usable_key() const;
    /// Makes a `GET` request for a path after the API version: "/models?pageSize=1000". Fails like `usable_key`.
    [[nodiscard]] result<http_request> get(const std::string& path, duration timeout) const;
    /// Makes a `POST` request to a method of the model: "countTokens". Fails like `usable_key`.
    [[nodiscard]] result<http_request> post(std::string_view method, std::string body, duration timeout) const;

    /// Parses the body of a response with status 200, unless it is an error document.
    [[nodiscard]] result<json> read_body(std::string_view body, json_budget& budget) const;
    /// Converts a response with another status.
    [[nodiscard]] failure refusal(const http_response& response) const;

private:
    [[nodiscard]] std::string url(std::string_view path) const;
    [[nodiscard]] http_request request(const char* method, std::string url, duration timeout) const;

    const gemini_options options_;
    const std::string model_url_;  ///< up to the name of a method
    request_encoder encoder_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
