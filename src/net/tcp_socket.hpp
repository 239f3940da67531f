#pragma once
#include "net/reactor.hpp"

#include <pyaichat/core/result.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

class tcp_socket;

/// Is told when something can be done with a socket.
class socket_user {
public:
    virtual void socket_ready(tcp_socket& socket) = 0;

protected:
    ~socket_user() = default;
};

/// A non-blocking TCP connection that a loop watches. Raises no SIGPIPE. TCP_NODELAY is set: otherwise a small request may wait 40 ms for
/// the acknowledgement of the last one.
class tcp_socket final : public poll_target {
public:
    static constexpr std::ptrdiff_t broken = -1;
    static constexpr std::ptrdiff_t would_block = -2;

    /// Starts to connect to a numeric address. Fails with `connection_failed`; the message is the reason of the system ("connection
    /// refused").
    [[nodiscard]] static result<std::unique_ptr<tcp_socket>> connect(reactor& loop, const std::string& address, int port,
                                                                     socket_user& user);
    ~tcp_socket();

    /// Changes who is told. The user must outlive the socket.
    void set_user(socket_user& user) noexcept { user_ = &user; }
    [[nodiscard]] reactor& loop() const noexcept { return loop_; }

    /// Returns whether the attempt to connect has ended; then `connect_failure` says how.
    [[nodiscard]] bool connect_ended() const noexcept { return writable || hung_up; }
    /// Returns why it could not connect, or an empty text if it is connected.
    [[nodiscard]] std::string connect_failure() const;

    /// Returns the number of bytes received, 0 if the peer has ended its side, `would_block` or `broken`.
    [[nodiscard]] std::ptrdiff_t receive(char* to, std::size_t size) noexcept;
    /// Sends the two texts one after another. Returns the number of bytes sent, `would_block` or `broken`.
    [[nodiscard]] std::ptrdiff_t send(std::string_view first, std::string_view second = {}) noexcept;

    void ready() override { user_->socket_ready(*this); }

private:
    tcp_socket(reactor& loop, int descriptor, socket_user& user) noexcept : loop_(loop), descriptor_(descriptor), user_(&user) {}

    reactor& loop_;
    int descriptor_;
    socket_user* user_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
