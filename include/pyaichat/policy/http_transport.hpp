#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/result.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

struct http_header {
    std::string name = {};
    std::string value = {};
};

struct http_request {
    std::string method = "POST";
    std::string url = {};  ///< absolute: scheme, host, path and query
    std::vector<http_header> headers = {};
    std::string body = {};
    duration timeout = duration::max();                      ///< of the whole exchange, including the name lookup
    std::size_t max_response_bytes = std::size_t{16} << 20;  ///< limit of the decoded body, whole or streamed
    /// Whether the request is idempotent (GET and HEAD always are). The transport may then repeat it if a kept connection turns out to be
    /// closed before any byte of the response was read.
    bool repeatable = false;
};

struct http_response {
    int status = 0;
    std::vector<http_header> headers = {};
    std::string body = {};
};

/// Takes the next piece of a decoded response body. Returns false to stop the exchange.
using http_body_sink = std::function<bool(std::string_view piece)>;

namespace detail {
template <class T>
concept sends = requires(T& transport, const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
    { transport.send(request, cancel) } -> std::same_as<result<http_response>>;
    { transport.stream(request, sink, cancel) } -> std::same_as<result<http_response>>;
};
}  // namespace detail

/// Sends one HTTP request. A response with an error status is a success here. Called on the executor, for several runs at once. May block
/// until the timeout, but returns within 50 ms after a cancellation. Does not follow redirects.
///
/// `send` returns the whole response. `stream` passes the body of a 2xx response to the sink as it arrives, on the calling thread, and
/// returns the response without the body. A response with another status is returned with its body, and the sink is not called.
///
/// Fails with `connection_failed`, `unreachable`, `timeout`, `cancelled` (also if the sink returns false), `too_large` or
/// `invalid_argument` (the URL). Header values never appear in a failure. If `stream` fails, the sink may already have received a part of
/// the body.
template <class T>
concept http_transport = std::move_constructible<T> && detail::sends<T>;

}  // namespace pyaichat::inline PYAICHAT_ABI
