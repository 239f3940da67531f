#pragma once
/// An HTTP/1.1 server on 127.0.0.1 that can misbehave. It uses plain sockets and threads of its own and never touches the process's
/// signals.
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// One request as it arrived.
struct loopback_request {
    std::string method = {};
    std::string target = {};  ///< path and query as sent
    std::vector<http_header> headers = {};
    std::string body = {};
    int connection = 0;  ///< 1 for the first connection that was accepted
};

/// One write to the network: bytes, and blanks behind them that are made while they are sent.
struct loopback_write {
    std::string bytes = {};
    std::size_t blanks = 0;
};

/// What goes back, byte by byte, and what happens to the connection then.
struct loopback_reply {
    enum class ending : unsigned char {
        keep,   ///< wait for the next request
        close,  ///< an orderly end (FIN)
        reset,  ///< a hard one (RST)
        hang,   ///< neither answer nor end, until the peer or the server goes
    };
    std::string bytes = {};                 ///< the first write
    std::vector<loopback_write> rest = {};  ///< the ones after it
    duration delay = {};                    ///< before the first byte
    std::size_t piece = 0;                  ///< bytes per write; 0 = as they are
    duration pause = {};                    ///< between writes
    ending then = ending::keep;
};

class loopback_server {
public:
    /// Called on a thread of the server, for several connections at once.
    using handler = std::function<loopback_reply(const loopback_request&)>;

    /// Listens on `port`, or on a free one, when it returns. When it cannot, `port()` is 0.
    explicit loopback_server(handler handle, int port = 0);
    /// Ends every connection, also those that hang, and joins every thread.
    ~loopback_server();

    [[nodiscard]] int port() const noexcept;
    [[nodiscard]] int connections() const;
    /// How many connections the peer has left open, as far as the server has noticed.
    [[nodiscard]] int open_connections() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Status line and headers, with the blank line.
[[nodiscard]] std::string http_head(int status, const std::vector<http_header>& headers);

/// A head with `Content-Length` in front of `body`.
[[nodiscard]] std::string http_message(int status, const std::vector<http_header>& headers, std::string_view body);

/// The value of a header, compared without case; empty when there is none.
[[nodiscard]] std::string header_value(const std::vector<http_header>& headers, std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
