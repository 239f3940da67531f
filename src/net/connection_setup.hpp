#pragma once
#include "net/certificate_store.hpp"
#include "net/connect_race.hpp"
#include "net/http_connection.hpp"
#include "net/proxy.hpp"
#include "net/proxy_tunnel.hpp"
#include "net/resolver.hpp"

#include <pyaichat/net/url.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// What all connections of a transport share.
struct connection_services {
    reactor& loop;
    read_buffers buffers = {};
    resolver names;
    certificate_store certificates;
    std::string proxy = {};
    std::string no_proxy = {};
};

/// Makes a connection to a service: certificates, name, TCP, the tunnel of a proxy, TLS.
class connection_setup final : certificate_store::job::waiter, resolver::job::waiter, connect_race::user, http_connection::user {
public:
    /// Is told once how the setup ended. It may destroy the setup after it has returned, not before.
    class user {
    public:
        virtual void setup_done(std::unique_ptr<http_connection> connection) = 0;
        /// `connection_failed`, `unreachable` or `invalid_argument` (the proxy).
        virtual void setup_failed(failure why) = 0;

    protected:
        ~user() = default;
    };

    connection_setup(connection_services& shared, url origin, tls_ticket ticket, user& owner);
    ~connection_setup();
    /// May call the user.
    void start();
    /// Returns the name that is being resolved, or an empty text.
    [[nodiscard]] std::string unresolved() const;

private:
    void load_certificates();
    void job_done(const result<tls_context>& loaded) override;
    void resolve();
    void job_done(const result<host_addresses>& found) override;
    void connect(host_addresses addresses);
    void connected(std::unique_ptr<tcp_socket> socket) override;
    void not_connected(const std::string& address, const std::string& why) override;
    void connection_ready(http_connection&) override;
    void open_tunnel();
    void begin_tls();
    void shake_hands();

    connection_services& shared_;
    url origin_;
    tls_ticket ticket_;
    user& user_;
    std::optional<proxy> via_ = {};
    std::shared_ptr<certificate_store::job> loading_ = {};
    std::shared_ptr<resolver::job> resolving_ = {};
    std::optional<connect_race> race_ = {};
    std::unique_ptr<http_connection> connection_ = {};
    std::optional<proxy_tunnel> tunnel_ = {};  ///< until the proxy has opened it
    std::string_view unsent_ = {};             ///< of the request for the tunnel
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
