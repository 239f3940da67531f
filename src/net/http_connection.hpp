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

/// The way to a service.
struct http_route {
    url origin = {};
    std::optional<proxy> via = {};
    std::shared_ptr<const tls_context> security = {};  ///< for https
};

/// One connection to a service, kept alive between exchanges. `interrupt` may be called from any thread, everything else by one at a time.
class http_connection {
public:
    using time_point = std::chrono::steady_clock::time_point;

    explicit http_connection(http_route route);
    ~http_connection();

    /// Connects to one of the numeric addresses (the proxy's, when there is one), through the proxy, and secures it, by the deadline.
    [[nodiscard]] result<void> open(const std::vector<std::string>& addresses, time_point deadline);

    struct outcome {
        result<http_response> response;
        bool answered = false;  ///< at least a byte of a response has come
        bool whole = true;      ///< false for a refusal whose text broke off
    };

    /// Sends a request for `target` and reads the response by the deadline. With a sink, the body of a 2xx response goes there.
    [[nodiscard]] outcome exchange(const http_request& request, const std::string& target, const http_body_sink* sink, time_point deadline);

    /// Ends whatever runs at once, and the connection for good.
    void interrupt() noexcept;

    /// Whether another exchange may be tried: the last response came whole, and the peer has neither closed nor sent anything unasked.
    [[nodiscard]] bool reusable() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
