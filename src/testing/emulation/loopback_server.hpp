#pragma once
/// An HTTP/1.1 server on 127.0.0.1 with fault injection. It has its own threads and does not change the process's signal handling.
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

struct loopback_request {
    std::string method = {};
    std::string target = {};  ///< path and query as sent
    std::vector<http_header> headers = {};
    std::string body = {};
    bool closes = false;  ///< the client expects the connection to be closed after the response
    int connection = 0;   ///< 1 for the first connection that was accepted
};

/// One write to the network: bytes, then blanks, which are generated while they are sent.
struct loopback_write {
    std::string bytes = {};
    std::size_t blanks = 0;
};

/// The bytes of a response, and what happens to the connection afterwards.
struct loopback_reply {
    enum class ending : unsigned char {
        keep,   ///< wait for the next request
        close,  ///< close (FIN)
        reset,  ///< reset (RST)
        hang,   ///< keep open without a response until the peer or the server closes
    };
    std::string bytes = {};                 ///< the first write
    std::vector<loopback_write> rest = {};  ///< the following writes
    duration delay = {};                    ///< before the first byte
    std::size_t piece = 0;                  ///< bytes per write; 0 = unlimited
    duration pause = {};                    ///< between writes
    ending then = ending::keep;
};

/// Serves persistent connections. A response to `HEAD` has no body. A request that is not valid HTTP gets status 400.
class loopback_server {
public:
    /// Called on threads of the server, for several connections at once.
    using handler = std::function<loopback_reply(const loopback_request&)>;

    /// Listens on `port` (0: any free port). If that fails, `port()` is 0.
    explicit loopback_server(handler handle, int port = 0);
    /// Closes all connections, including hanging ones, and joins all threads.
    ~loopback_server();

    [[nodiscard]] int port() const noexcept;
    [[nodiscard]] int connections() const;
    /// The number of connections that the server has not closed yet.
    [[nodiscard]] int open_connections() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Status line and headers, with the blank line.
[[nodiscard]] std::string http_head(int status, const std::vector<http_header>& headers);

/// A head with `Content-Length` in front of `body`.
[[nodiscard]] std::string http_message(int status, const std::vector<http_header>& headers, std::string_view body);

/// Adapts a reply to its request: no body for `HEAD`; `Connection: close` if the connection ends with it.
void adapt_reply(loopback_reply& reply, const loopback_request& request);

/// The value of a header, or empty. The name is not case-sensitive.
[[nodiscard]] std::string header_value(const std::vector<http_header>& headers, std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
