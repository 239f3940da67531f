#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Knows the secrets of the requests that it has seen, and takes them out of texts.
class cassette_secrets {
public:
    explicit cassette_secrets(const std::vector<std::string>& known);

    /// Remembers the secrets in a request's headers and URL.
    void learn(const http_request& request);

    /// The text with `***` for each secret in it. `boundaries` are offsets into the text in rising order; they are moved along.
    [[nodiscard]] std::string clean(std::string_view text, std::vector<std::size_t>* boundaries = nullptr) const;

    /// The headers of a request that are worth keeping: those that say nothing about the exchange are left out, secret ones are `***`.
    [[nodiscard]] std::vector<http_header> clean_request_headers(const std::vector<http_header>& headers) const;
    /// Those of a response that a provider reads.
    [[nodiscard]] std::vector<http_header> clean_response_headers(const std::vector<http_header>& headers) const;

private:
    void add(std::string_view secret);

    std::vector<std::string> secrets_;  ///< the longest first
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
