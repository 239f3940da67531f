#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

struct https_options {
    std::string ca_file = {};  ///< PEM; empty = the system's store
    /// `[http://][name:password@]host[:port]`, for `https://` URLs, which it lets through unread (CONNECT); empty = none.
    /// Not set = `HTTPS_PROXY` or `https_proxy` of the environment, read by the constructor.
    std::optional<std::string> proxy = {};
    /// Hosts that are reached without the proxy: `example.org` (and every name below it), `host:port`, `*`; separated by commas.
    /// Not set = `NO_PROXY` or `no_proxy` of the environment.
    std::optional<std::string> no_proxy = {};
};

/// HTTP and HTTPS over sockets of its own, OpenSSL and cpp-httplib. Models `http_transport`; safe to use from several threads.
///
/// Connections are kept alive and reused (one per run in flight, idle ones in a pool), without Nagle's delay. TLS 1.2 or later, certificate
/// and host name checked. Everything happens on the calling thread, except that names are looked up on one that can be left behind. A
/// deadline or a cancel is noticed in every wait (connecting, proxy, handshake, sending, head and body), closes the socket and returns
/// within 50 ms. No signal is raised, and the process's dispositions are never touched. Requests are sent uncompressed; gzip is accepted
/// for whole responses. The body of a status other than 2xx is read for a second at most: what has come by then is returned with it.
///
/// `http://` is accepted for loopback addresses only, and never goes through a proxy: it would carry the key in the clear.
///
/// A kept connection whose end by the server has been noticed is replaced before anything is sent. When one turns out to be dead after the
/// request went out, the request is sent once more, on a fresh connection, if no byte of a response was read and it is `repeatable`.
class https_transport {
public:
    explicit https_transport(https_options options = {});
    https_transport(https_transport&&) noexcept;
    https_transport& operator=(https_transport&&) noexcept;
    ~https_transport();

    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel);
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel);

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
