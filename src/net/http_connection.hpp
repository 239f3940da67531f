#pragma once
#include "net/tcp_socket.hpp"
#include "net/tls_session.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Where a loop reads to: one pair for all its connections. What is read is used up before another connection reads.
struct read_buffers {
    std::vector<char> received = std::vector<char>(std::size_t{64} << 10);
    std::vector<char> decrypted = std::vector<char>(std::size_t{16} << 10);  ///< the largest TLS record
};

/// A plain or TLS connection to a service, non-blocking.
class http_connection final : socket_user {
public:
    /// Is told when something can be sent or received.
    class user {
    public:
        virtual void connection_ready(http_connection& connection) = 0;

    protected:
        ~user() = default;
    };
    enum class state : unsigned char {
        done,
        blocked,  ///< to be continued when the user is told
        closed,   ///< the peer has closed its side properly
        broken,
    };

    http_connection(std::unique_ptr<tcp_socket> socket, read_buffers& buffers, user& owner);
    http_connection(const http_connection&) = delete;
    http_connection& operator=(const http_connection&) = delete;
    /// Closes the connection; a TLS session with a close_notify, if the socket takes it.
    ~http_connection();

    void set_user(user& owner) noexcept { user_ = &owner; }
    /// Tells the user in the next turn of the loop, also without an event.
    void tell_again() { socket_->loop().again(*socket_); }

    /// Starts TLS. Then call `shake_hands` until it is not `blocked`. If it is `broken`, `tls()` explains.
    void start_tls(std::unique_ptr<tls_session> session) noexcept { tls_ = std::move(session); }
    [[nodiscard]] state shake_hands();
    /// Returns the TLS session, or null.
    [[nodiscard]] const tls_session* tls() const noexcept { return tls_.get(); }

    /// Sends one text, then the other, and removes from them what has been sent.
    [[nodiscard]] state send(std::string_view& first, std::string_view& second);
    /// Receives the next piece. `done`: it is in `bytes`, until the next call of any connection of the loop.
    [[nodiscard]] state receive(std::string_view& bytes);
    /// Returns whether a received piece has to be taken before other connections receive.
    [[nodiscard]] bool has_unread() const noexcept { return tls_ != nullptr && tls_->has_input(); }
    /// Returns whether the connection is open and the peer has sent nothing that is unread. Processes TLS messages without application
    /// data, such as session tickets.
    [[nodiscard]] bool idle();

private:
    void socket_ready(tcp_socket&) override { user_->connection_ready(*this); }
    [[nodiscard]] bool feed_tls();
    [[nodiscard]] state flush();

    read_buffers& buffers_;
    user* user_;
    std::unique_ptr<tls_session> tls_ = {};
    std::unique_ptr<tcp_socket> socket_;
    std::size_t flushed_ = 0;  ///< bytes of the output of TLS that have been sent
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
