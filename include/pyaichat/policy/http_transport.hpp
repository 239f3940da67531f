#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/result.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <vector>

namespace pyaichat::inline v0 {

struct http_header {
    std::string name = {};
    std::string value = {};
};

struct http_request {
    std::string method = "POST";
    std::string url = {};  ///< absolute: scheme, host, path and query
    std::vector<http_header> headers = {};
    std::string body = {};
    duration timeout = duration::max();                      ///< for the whole exchange, name lookup included
    std::size_t max_response_bytes = std::size_t{64} << 20;  ///< of the body, after decoding
};

struct http_response {
    int status = 0;
    std::vector<http_header> headers = {};
    std::string body = {};
};

/// Sends one HTTP request and returns the whole response, whatever its status. Called on the executor, for several runs at once. May block,
/// at most to the timeout; returns within 50 ms of the token being tripped. Redirects are not followed.
/// Failing: `connection_failed`, `timeout`, `cancelled`, `too_large`, `invalid_argument` (the URL). Header values never appear in a
/// failure.
template <class T>
concept http_transport = std::move_constructible<T> && requires(T& transport, const http_request& request, const cancel_token& cancel) {
    { transport.send(request, cancel) } -> std::same_as<result<http_response>>;
};

}  // namespace pyaichat::inline v0
