#pragma once
#include <pyaichat/policy/http_transport.hpp>

#include <memory>
#include <string>

namespace pyaichat::inline v0 {

struct https_options {
    std::string ca_file = {};  ///< PEM; empty = the system's store
};

/// HTTP and HTTPS over cpp-httplib and OpenSSL. Models `http_transport`.
///
/// Connections are kept alive and reused (one per run in flight, idle ones in a pool), without Nagle's delay. TLS 1.2 or later, certificate
/// and host name checked. A deadline or a cancel closes the socket and returns within 50 ms, whatever the server does. The process's signal
/// dispositions are never touched. `http://` is accepted for loopback addresses only.
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

}  // namespace pyaichat::inline v0
