#include "net/connection_setup.hpp"

#include "net/connection_failure.hpp"
#include "net/system.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

connection_setup::connection_setup(connection_services& shared, url origin, tls_ticket ticket, user& owner)
    : shared_(shared), origin_(std::move(origin)), ticket_(std::move(ticket)), user_(owner) {}

connection_setup::~connection_setup() {
    if (loading_ != nullptr) {
        loading_->forget(*this);
    }
    if (resolving_ != nullptr) {
        resolving_->forget(*this);
    }
}

std::string connection_setup::unresolved() const {
    return resolving_ == nullptr ? std::string() : via_ ? via_->host : origin_.host;
}

void connection_setup::start() {
    if (origin_.scheme != "https") {
        return resolve();
    }
    if (!shared_.proxy.empty() && !bypasses_proxy(origin_, shared_.no_proxy)) {
        result<proxy> via = parse_proxy(shared_.proxy);
        if (!via) {
            return user_.setup_failed(std::move(via).error());
        }
        via_ = std::move(*via);
    }
    load_certificates();
}

void connection_setup::load_certificates() {
    if (shared_.certificates.loaded() != nullptr) {
        return resolve();
    }
    result<std::shared_ptr<certificate_store::job>> loading = shared_.certificates.load();
    if (!loading) {
        return user_.setup_failed(std::move(loading).error());
    }
    loading_ = std::move(*loading);
    loading_->wait(*this);
}

void connection_setup::job_done(const result<tls_context>& loaded) {
    loading_.reset();
    if (!loaded) {
        return user_.setup_failed(loaded.error());
    }
    shared_.certificates.keep(*loaded);
    resolve();
}

void connection_setup::resolve() {
    const std::string& host = via_ ? via_->host : origin_.host;
    if (host == "localhost") {
        return connect({"127.0.0.1", "::1"});  // also if /etc/hosts says otherwise or is missing
    }
    if (is_numeric_address(host)) {
        return connect({host});
    }
    result<std::shared_ptr<resolver::job>> resolving = shared_.names.find(host);
    if (!resolving) {
        return user_.setup_failed(std::move(resolving).error());
    }
    resolving_ = std::move(*resolving);
    resolving_->wait(*this);
}

void connection_setup::job_done(const result<host_addresses>& found) {
    resolving_.reset();
    if (!found) {
        return user_.setup_failed(found.error());
    }
    connect(*found);
}

void connection_setup::connect(host_addresses addresses) {
    race_.emplace(shared_.loop, std::move(addresses), via_ ? via_->port : origin_.port, static_cast<connect_race::user&>(*this));
    race_->start();
}

void connection_setup::not_connected(const std::string& address, const std::string& why) {
    const std::string proxy_name = via_ ? "the proxy " + via_->name() : std::string();
    const std::string peer = via_ ? proxy_name : origin_.authority();
    user_.setup_failed(connection_failure("could not connect to " + peer + " at " + address + " (" + why + ")",
                                          "The service could not be reached (" + (via_ ? proxy_name + ": " : "") + why + ")."));
}

void connection_setup::connected(std::unique_ptr<tcp_socket> socket) {
    connection_ = std::make_unique<http_connection>(std::move(socket), shared_.buffers, static_cast<http_connection::user&>(*this));
    if (via_) {
        tunnel_.emplace(*via_, origin_);
        unsent_ = tunnel_->request();
        return open_tunnel();
    }
    begin_tls();
}

void connection_setup::connection_ready(http_connection&) {
    tunnel_ ? open_tunnel() : shake_hands();
}

void connection_setup::open_tunnel() {
    std::string_view nothing;
    // If sending fails, the response is read nevertheless: it may say why.
    static_cast<void>(connection_->send(unsent_, nothing));
    for (;;) {
        std::string_view bytes;
        const http_connection::state received = connection_->receive(bytes);
        if (received == http_connection::state::blocked) {
            return;
        }
        if (received != http_connection::state::done) {
            return user_.setup_failed(tunnel_->why());
        }
        switch (tunnel_->take(bytes)) {
            case proxy_tunnel::state::unfinished: break;
            case proxy_tunnel::state::refused: return user_.setup_failed(tunnel_->why());
            case proxy_tunnel::state::open: tunnel_.reset(); return begin_tls();
        }
    }
}

void connection_setup::begin_tls() {
    if (origin_.scheme != "https") {
        return user_.setup_done(std::move(connection_));
    }
    result<std::unique_ptr<tls_session>> session =
        tls_session::make(shared_.certificates.loaded(), origin_.host, origin_.authority(), ticket_);
    if (!session) {
        return user_.setup_failed(std::move(session).error());
    }
    connection_->start_tls(std::move(*session));
    shake_hands();
}

void connection_setup::shake_hands() {
    switch (connection_->shake_hands()) {
        case http_connection::state::blocked: return;
        case http_connection::state::done: return user_.setup_done(std::move(connection_));
        default: return user_.setup_failed(connection_->tls()->handshake_failure());
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
