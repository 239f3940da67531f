// The only file with cpp-httplib in it.
#include "net/http_connection.hpp"

#include "net/httplib_shim.hpp"
#include "net/system.hpp"

#include <openssl/x509_vfy.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace pyaichat::inline v0::net {

namespace {

/// httplib's own time limits only have to be out of the way of ours, which ends the connection from outside.
constexpr std::chrono::seconds out_of_the_way = std::chrono::hours(24);

failure broken(std::string message, std::string hint) {
    return {.code = errc::connection_failed, .message = std::move(message), .hint = std::move(hint)};
}

/// TLS 1.2 or later; the certificate has to name the host that was asked for. httplib checks the name as well, by rules of its own.
bool secure(SSL_CTX* context, const std::string& host) {
    X509_VERIFY_PARAM* rules = context == nullptr ? nullptr : SSL_CTX_get0_param(context);
    if (rules == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) {
        return false;
    }
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    return is_numeric_address(host) ? X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1
                                    : X509_VERIFY_PARAM_set1_host(rules, host.c_str(), host.size()) == 1;
}

}  // namespace

struct http_connection::state {
    url origin;
    std::string address;
    socket_handle socket;
    bool secured = true;
    httplib::SSLClient* tls = nullptr;  ///< the client, when the origin is https
    std::unique_ptr<httplib::ClientImpl> client;

    [[nodiscard]] std::string name() const { return origin.host + ":" + std::to_string(origin.port); }
    [[nodiscard]] failure explain(httplib::Error error, progress reached, std::size_t received) const;
};

http_connection::http_connection(const url& origin, std::string address, const std::string& ca_file) : state_(std::make_unique<state>()) {
    state_->origin = origin;
    state_->address = std::move(address);
    if (origin.scheme == "https") {
        auto tls = std::make_unique<httplib::SSLClient>(origin.host, origin.port);
        state_->tls = tls.get();
        state_->secured = secure(tls->ssl_context(), origin.host);
        tls->enable_server_certificate_verification(true);
        state_->client = std::move(tls);
        if (!ca_file.empty()) {
            state_->client->set_ca_cert_path(ca_file);
        }
    } else {
        state_->client = std::make_unique<httplib::ClientImpl>(origin.host, origin.port);
    }
    httplib::ClientImpl& client = *state_->client;
    client.set_hostname_addr_map({{origin.host, state_->address}});
    client.set_keep_alive(true);
    client.set_tcp_nodelay(true);  // or a small request waits 40 ms for the delayed acknowledgement of the last one
    client.set_follow_location(false);
    client.set_url_encode(false);  // the URL is encoded already
    client.set_read_timeout(out_of_the_way);
    client.set_write_timeout(out_of_the_way);
    client.set_socket_options([this](int descriptor) { state_->socket.adopt(descriptor); });
}

http_connection::~http_connection() {
    // A farewell in TLS would be a write that can block or raise SIGPIPE; httplib 0.18 even waits for the peer's. Without a connection it
    // is given up at once, and what was exchanged is complete already.
    state_->socket.cut();
    without_sigpipe([this] { state_->client.reset(); });
}

void http_connection::cut() noexcept {
    state_->socket.cut();
}

bool http_connection::reusable() const {
    return state_->client->is_socket_open() != 0 && state_->socket.quiet();
}

http_connection::outcome http_connection::exchange(const http_request& request, const std::string& target, duration patience) {
    if (!state_->secured) {
        return {broken("OpenSSL refused the rules for TLS", "The service could not be reached safely."), progress::nothing};
    }
    state_->client->set_connection_timeout(std::clamp<duration>(patience, std::chrono::milliseconds(1), out_of_the_way));

    progress reached = progress::nothing;
    bool too_large = false;
    http_response response;
    httplib::Request wire;
    wire.method = request.method;
    wire.path = target;
    wire.body = request.body;
    for (const http_header& header : request.headers) {
        wire.headers.emplace(header.name, header.value);
    }
    if (wire.headers.find("Accept-Encoding") == wire.headers.end()) {
        wire.headers.emplace("Accept-Encoding", accepted_encodings());
    }
    wire.response_handler = [&](const httplib::Response& head) {
        reached = progress::responded;
        response.status = head.status;
        for (const auto& [name, value] : head.headers) {
            response.headers.push_back({name, value});
        }
        return true;
    };
    wire.content_receiver = [&](const char* data, std::size_t size, auto, auto) {
        if (size > request.max_response_bytes - response.body.size()) {
            too_large = true;
            return false;
        }
        response.body.append(data, size);
        return true;
    };

    const httplib::Result result = state_->client->send(wire);
    if (too_large) {
        return {failure{.code = errc::too_large,
                        .message = "the response of " + state_->name() + " is larger than " + std::to_string(request.max_response_bytes) +
                                   " bytes",
                        .hint = "The service's answer was too large."},
                reached};
    }
    if (!result) {
        if (reached == progress::nothing && !is_connect_error(result.error())) {
            reached = progress::connected;
        }
        return {state_->explain(result.error(), reached, response.body.size()), reached};
    }
    return {std::move(response), reached};
}

failure http_connection::state::explain(httplib::Error error, progress reached, std::size_t received) const {
    if (is_connect_error(error)) {
        std::string why = why_unreachable(address, origin.port, std::chrono::milliseconds(100));  // httplib keeps it to itself
        const std::string in_brackets = why.empty() ? std::string() : " (" + why + ")";
        return broken("no connection to " + name() + " at " + address + in_brackets,
                      "The service could not be reached" + in_brackets + ".");
    }
    if (is_certificate_error(error)) {
        const long verdict = verify_result(*tls);
        const std::string why = verdict == X509_V_OK ? "it names another host" : X509_verify_cert_error_string(verdict);
        return broken("the certificate of " + name() + " was refused: " + why,
                      "The service could not be reached safely: its certificate was refused (" + why + ").");
    }
    switch (error) {
        case httplib::Error::SSLConnection:
            return broken("the TLS handshake with " + name() + " failed",
                          "The service could not be reached (no secure connection could be agreed on).");
        case httplib::Error::SSLLoadingCerts:
            return broken("the CA certificates could not be read", "Check that the CA file exists and holds certificates in PEM form.");
        case httplib::Error::Read:
        case httplib::Error::Write:
        case httplib::Error::Canceled:
            return reached == progress::responded
                       ? broken("the response of " + name() + " broke off after " + std::to_string(received) + " bytes of its body",
                                "The service's answer broke off.")
                       : broken(name() + " closed the connection, or sent no HTTP, before a response had begun",
                                "The service closed the connection without an answer.");
        default:
            return broken("the exchange with " + name() + " failed: " + httplib::to_string(error), "The service could not be reached.");
    }
}

}  // namespace pyaichat::inline v0::net
