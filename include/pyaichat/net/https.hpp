#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

struct https_options {
    std::string ca_file = {};  ///< PEM; empty = the CA certificates of the system
    /// The proxy for `https://` URLs: `[http://][name:password@]host[:port]`. It tunnels the connection (CONNECT). Empty = no proxy.
    /// Not set = the environment variable `https_proxy` or `HTTPS_PROXY`, read by the constructor.
    std::optional<std::string> proxy = {};
    /// Hosts to connect to without the proxy, separated by commas: `example.org` (with its subdomains), `host:port`, `*`.
    /// Not set = the environment variable `no_proxy` or `NO_PROXY`.
    std::optional<std::string> no_proxy = {};
};

/// An HTTPS client. Satisfies `http_transport`. Thread-safe.
///
/// Connections are kept alive in a pool. TLS 1.2 or later; certificate and host name are verified. All work runs on the calling thread,
/// except name lookups, which run on a detached thread. A deadline or a cancellation interrupts every wait, closes the socket and returns
/// within 50 ms. No signals are raised or handled. Requests are not compressed; `send` accepts gzip responses. The body of an error
/// response is read for one second at most, and may then be cut.
///
/// `http://` is accepted for loopback addresses only, without a proxy, because it would expose the API key.
///
/// If the server has closed a pooled connection, the request is sent on a new one. If the connection fails after the request was sent, a
/// `repeatable` request is sent once more, unless a part of the response was received.
class https_transport {
public:
    explicit https_transport(https_options options = {});
    https_transport(https_transport&&) noexcept;
    https_transport& operator=(https_transport&&) noexcept;
    ~https_transport();

    /// Sends a request and blocks until the whole response is received, at most for `request.timeout`. A response with an error status is a
    /// success. Fails with `connection_failed`, `timeout`, `cancelled`, `too_large` or `invalid_argument` (the URL).
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel);
    /// Like `send`, but passes the body of a 2xx response to `sink` as it arrives, on the calling thread, and returns the response without
    /// it. If `sink` returns false, fails with `cancelled`.
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel);

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
