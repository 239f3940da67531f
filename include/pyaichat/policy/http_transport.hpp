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
    duration timeout = duration::max();                      ///< for the whole exchange, name lookup included
    std::size_t max_response_bytes = std::size_t{64} << 20;  ///< of the body, after decoding, whole or streamed
    /// Doing it twice is as good as once. Then a transport may send it again by itself when a connection that it had kept open turns out to
    /// be dead before any byte of a response was read. GET and HEAD always are.
    bool repeatable = false;
};

struct http_response {
    int status = 0;
    std::vector<http_header> headers = {};
    std::string body = {};
};

/// Takes the next piece of a response's body, decoded. Returning false stops the exchange.
using http_body_sink = std::function<bool(std::string_view piece)>;

/// Sends one HTTP request, whatever the status of its response. Called on the executor, for several runs at once. May block, at most to the
/// timeout; returns within 50 ms of the token being tripped. Redirects are not followed.
///
/// `send` returns the whole response. `stream` passes the body of a 2xx response to the sink as it arrives, on the calling thread, and
/// returns the response without it; a response with another status comes back whole, and the sink is not called.
///
/// Failing: `connection_failed`, `timeout`, `cancelled` (also when the sink said stop), `too_large`, `invalid_argument` (the URL). Header
/// values never appear in a failure. When `stream` fails, the sink may have had a part of the body.
template <class T>
concept http_transport = std::move_constructible<T> &&
                         requires(T& transport, const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
                             { transport.send(request, cancel) } -> std::same_as<result<http_response>>;
                             { transport.stream(request, sink, cancel) } -> std::same_as<result<http_response>>;
                         };

}  // namespace pyaichat::inline PYAICHAT_ABI
