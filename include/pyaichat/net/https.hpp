#pragma once
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/async_http_transport.hpp>
#include <pyaichat/policy/event_loop.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

class transport_core;

struct https_options {
    std::string ca_file = {};  ///< PEM; empty = the CA certificates of the system
    /// The proxy for `https://` URLs: `[http://][name:password@]host[:port]`. It tunnels the connection (CONNECT). Empty = no proxy.
    /// Not set = the environment variable `https_proxy` or `HTTPS_PROXY`, read by the constructor.
    std::optional<std::string> proxy = {};
    /// Hosts to connect to without the proxy, separated by commas: `example.org` (with its subdomains), `host:port`, `*`.
    /// Not set = the environment variable `no_proxy` or `NO_PROXY`.
    std::optional<std::string> no_proxy = {};
    /// Connections in use at the same time for one scheme, host and port. Further requests wait. The default leaves room for other
    /// descriptors below the usual limit of 1,024 for a process.
    std::size_t max_connections_per_origin = 512;
    /// Connections to one scheme, host and port that are kept for later requests.
    std::size_t max_idle_per_origin = 64;
    /// Whether a thread of the transport does the work that no waiting thread does. False: the host calls `https_transport::poll`.
    bool own_thread = true;
};

/// An HTTPS client. Satisfies `http_transport` and `async_http_transport`. Thread-safe. Copies share connections and thread. Do not use a
/// moved-from object.
///
/// One event loop serves all exchanges. A thread that waits for its result runs the loop itself: in `send` and `stream`, or through
/// `loop()`. Otherwise a thread of the transport runs it, from the first `start` until five seconds after the last exchange. It blocks all
/// signals. Names are resolved and certificates are loaded on detached threads. When the last copy is destroyed, all exchanges finish with
/// `cancelled`. After a `fork`, requests in the child process fail with `invalid_state`.
///
/// Connections are kept alive in a pool. TLS 1.2 or later; certificate and host name are verified. A deadline or a cancellation takes
/// effect in every state, within 5 ms unless a callback of another exchange runs, and closes the connection. No signals are raised or
/// handled. Streamed responses are not compressed; others may be. The body of an error response is read for one second at most, and may
/// then be cut.
///
/// `http://` is accepted for loopback addresses only, without a proxy, because it would expose the API key.
///
/// If the server has closed a pooled connection, the request is sent on a new one. If the connection fails after the request was sent, a
/// `repeatable` request is sent once more, unless a part of the response was received.
class https_transport {
public:
    explicit https_transport(https_options options = {});

    /// Sends a request and blocks until the whole response is received, at most for `request.timeout`. A response with an error status is a
    /// success. Fails with `connection_failed`, `unreachable`, `timeout`, `cancelled`, `too_large` or `invalid_argument` (the URL).
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel);
    /// Like `send`, but passes the body of a 2xx response to `sink` as it arrives, on the calling thread, and returns the response without
    /// it. If `sink` returns false, fails with `cancelled`; if it throws, with `internal`. Other exchanges of the transport wait while
    /// `sink` runs: it should not block.
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel);

    /// Starts an exchange and returns at once. See `async_http_transport`.
    void start(std::unique_ptr<http_exchange> exchange, const cancel_token& cancel);
    /// Returns the event loop, which a waiting thread may run.
    [[nodiscard]] std::shared_ptr<event_loop> loop() const;

    /// Does what is due, for about `budget` at most, and does not wait. What a started callback, or the pieces of one read (64 KB), take is
    /// not cut short. For a transport without a thread: call it when `fd()` is readable,
    /// or once a frame. Does nothing while another thread runs the loop.
    void poll(duration budget);
    /// Returns a descriptor that is readable when `poll` has something to do, deadlines included, if `own_thread` is false. It belongs to
    /// the transport: wait for it only, level-triggered. Returns -1 on systems without epoll: call `poll` at intervals there.
    [[nodiscard]] int fd() const noexcept;

private:
    std::shared_ptr<transport_core> core_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
