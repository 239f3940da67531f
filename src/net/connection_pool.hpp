#pragma once
#include "net/http_connection.hpp"

#include <chrono>
#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The connections of a transport by service: those that wait for the next request, and a limit for those in use.
class connection_pool final : http_connection::user {
public:
    /// Waits for its turn to use a connection.
    class waiter {
    public:
        /// It may use a connection now. Must not call the pool's `release`.
        virtual void admitted() = 0;

    protected:
        ~waiter() = default;
    };

    /// The connections to one service.
    struct service {
        struct idle_connection {
            std::unique_ptr<http_connection> connection;
            std::chrono::steady_clock::time_point since;
        };
        std::vector<idle_connection> idle = {};  ///< the one that was used last at the end
        std::size_t in_use = 0;
        std::list<waiter*> waiting = {};
        tls_ticket ticket = {};
    };

    connection_pool(reactor& loop, std::size_t max_in_use, std::size_t max_idle) noexcept
        : loop_(loop), max_in_use_(max_in_use), max_idle_(max_idle) {}

    /// Returns the entry of a service such as "https://host:443", which stays for the life of the pool.
    [[nodiscard]] service& find(const std::string& origin) { return services_[origin]; }
    /// Returns whether a connection may be used now, and counts it. Otherwise call `wait`.
    [[nodiscard]] bool admit(service& to) noexcept;
    void wait(service& to, waiter& one) { to.waiting.push_back(&one); }
    void forget(service& to, waiter& one) { to.waiting.remove(&one); }

    /// Returns an open connection that has been kept, the one that was used last, or null. Older ones can then expire.
    [[nodiscard]] std::unique_ptr<http_connection> take(service& from);
    /// Ends a use. Keeps the connection, unless it is null, and admits the next who waits. Nothing of the connection may be unread.
    void release(service& of, std::unique_ptr<http_connection> connection);
    /// Closes all kept connections.
    void clear() noexcept;

private:
    void connection_ready(http_connection& connection) override;

    reactor& loop_;
    std::size_t max_in_use_;
    std::size_t max_idle_;
    std::map<std::string, service> services_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
