#pragma once
#include <pyaichat/net/url.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <memory>
#include <string>

namespace pyaichat::inline v0::net {

/// One connection to one address of one origin, kept alive between exchanges. One exchange at a time; `cut` from any thread.
///
/// Known limit: httplib matches the status line with a recursive regular expression, so a server can overflow the thread's stack with a
/// reason phrase of more than about 20 kB. Over TLS that server would have to be the service itself.
class http_connection {
public:
    /// `address` is numeric. `ca_file` is empty for the system's store.
    http_connection(const url& origin, std::string address, const std::string& ca_file);
    ~http_connection();

    enum class progress : unsigned char {
        nothing,    ///< no connection was made
        connected,  ///< there was a connection, and no response head came over it
        responded,  ///< a response head was received
    };
    struct outcome {
        result<http_response> response;
        progress reached = progress::nothing;
    };

    /// Sends a request for `target` and reads the whole response. `patience` bounds connecting and handshake; ending the exchange by its
    /// own deadline is the caller's business, with `cut`. Blocks; may be called on quiet threads only.
    [[nodiscard]] outcome exchange(const http_request& request, const std::string& target, duration patience);

    /// Ends the connection for good: an exchange that runs fails soon, a later one at once.
    void cut() noexcept;

    /// Whether another exchange may be tried: still open, and the peer has neither closed nor sent anything unasked.
    [[nodiscard]] bool reusable() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline v0::net
