#pragma once
#include "net/proxy.hpp"
#include "net/tls_session.hpp"

#include <pyaichat/net/url.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// How to connect to a service.
struct http_route {
    url origin = {};
    std::optional<proxy> via = {};
    tls_context tls = {};  ///< for https
};

/// One connection to a service, kept alive between exchanges. Not thread-safe, except for `interrupt`.
class http_connection {
public:
    using time_point = std::chrono::steady_clock::time_point;

    explicit http_connection(http_route route);
    ~http_connection();

    /// Connects to one of the numeric addresses (of the proxy, if any), opens the tunnel and performs the TLS handshake.
    /// Fails with `connection_failed`.
    [[nodiscard]] result<void> open(const std::vector<std::string>& addresses, time_point deadline);

    struct outcome {
        result<http_response> response;
        bool received_any = false;  ///< at least one byte of a response was received
        bool complete = true;       ///< false: an error response whose body was cut off
    };

    /// Sends a request for `target` and reads the response. If there is a sink, it receives the body of a 2xx response.
    [[nodiscard]] outcome exchange(const http_request& request, const std::string& target, const http_body_sink* sink, time_point deadline);

    /// Aborts the current operation and closes the connection permanently. Thread-safe.
    void interrupt() noexcept;

    /// Returns whether the last response was complete and the connection is idle.
    [[nodiscard]] bool reusable() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
