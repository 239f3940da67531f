#pragma once
#include "net/tcp_socket.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Connects to the first address of a host that accepts (RFC 8305, "happy eyeballs"): the families alternate, and each address has a short
/// head start before the next is tried as well.
class connect_race final : socket_user {
public:
    static constexpr std::chrono::milliseconds head_start = std::chrono::milliseconds(250);
    static constexpr std::size_t addresses_tried = 4;

    /// Is told once how the race ended. It may destroy the race after it has returned, not before.
    class user {
    public:
        virtual void connected(std::unique_ptr<tcp_socket> socket) = 0;
        /// No address accepted. Names the address that failed last.
        virtual void not_connected(const std::string& address, const std::string& why) = 0;

    protected:
        ~user() = default;
    };

    connect_race(reactor& loop, std::vector<std::string> addresses, int port, user& owner);
    /// May call the user.
    void start() { try_next(); }

private:
    struct attempt {
        std::string address;
        std::unique_ptr<tcp_socket> socket;
    };

    void socket_ready(tcp_socket& socket) override;
    void try_next();

    reactor& loop_;
    std::vector<std::string> addresses_;
    int port_;
    user& user_;
    std::size_t next_ = 0;
    std::vector<attempt> attempts_ = {};
    timer next_start_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
