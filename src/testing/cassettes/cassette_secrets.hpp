#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Collects the secrets of requests and removes them from texts.
class cassette_secrets {
public:
    explicit cassette_secrets(const std::vector<std::string>& known);

    /// Collects the secrets in a request's headers and URL.
    void learn(const http_request& request);

    /// Returns the text with `***` for each secret. `boundaries` are increasing offsets into the text; they are updated.
    [[nodiscard]] std::string clean(std::string_view text, std::vector<std::size_t>* boundaries = nullptr) const;

    /// Returns the request headers to record: without those that depend on the client, with secret values as `***`.
    [[nodiscard]] std::vector<http_header> clean_request_headers(const std::vector<http_header>& headers) const;
    /// Returns the response headers that a provider reads.
    [[nodiscard]] std::vector<http_header> clean_response_headers(const std::vector<http_header>& headers) const;

private:
    void add(std::string_view secret);

    std::vector<std::string> secrets_;  ///< longest first
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
