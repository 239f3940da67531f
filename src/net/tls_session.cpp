#include "net/tls_session.hpp"

#include "net/system.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

/// Replaces OpenSSL's socket BIO, whose `write` raises SIGPIPE.
namespace socket_bio {

tcp_socket& socket_of(BIO* bio) {
    return *static_cast<tcp_socket*>(BIO_get_data(bio));
}

int finish(BIO* bio, std::ptrdiff_t count, int retry) {
    BIO_clear_retry_flags(bio);
    if (count == tcp_socket::would_block) {
        BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY);
    }
    return count < 0 ? -1 : static_cast<int>(count);
}

int read(BIO* bio, char* to, int size) {
    return finish(bio, socket_of(bio).try_receive(to, static_cast<std::size_t>(size)), BIO_FLAGS_READ);
}

int write(BIO* bio, const char* from, int size) {
    return finish(bio, socket_of(bio).try_send(from, static_cast<std::size_t>(size)), BIO_FLAGS_WRITE);
}

long control(BIO*, int command, long, void*) {
    return command == BIO_CTRL_FLUSH ? 1 : 0;
}

const BIO_METHOD* method() {
    static const std::unique_ptr<BIO_METHOD, decltype(&BIO_meth_free)> instance = [] {
        BIO_METHOD* const created = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pyaichat socket");
        if (created != nullptr) {
            BIO_meth_set_read(created, &read);
            BIO_meth_set_write(created, &write);
            BIO_meth_set_ctrl(created, &control);
        }
        return std::unique_ptr<BIO_METHOD, decltype(&BIO_meth_free)>(created, &BIO_meth_free);
    }();
    return instance.get();
}

}  // namespace socket_bio

}  // namespace

result<tls_context> load_tls_context(const std::string& ca_file) {
    ERR_clear_error();
    tls_context context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    SSL_CTX* const handle = context.get();
    if (handle == nullptr || SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION) != 1) {
        return connection_failure("OpenSSL could not be configured for TLS 1.2", "The service could not be reached securely.");
    }
    SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_mode(handle, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    const int loaded =
        ca_file.empty() ? SSL_CTX_set_default_verify_paths(handle) : SSL_CTX_load_verify_locations(handle, ca_file.c_str(), nullptr);
    ERR_clear_error();
    if (loaded != 1) {
        return connection_failure("the CA certificates could not be read",
                                  "Check that the CA file exists and contains certificates in PEM format.");
    }
    return context;
}

tls_session::tls_session(const tls_context& context, tcp_socket& socket)
    : socket_(socket), handle_(SSL_new(context.get()), &SSL_free) {}  // the session keeps the context

tls_session::~tls_session() {
    if (healthy_ && !socket_.interrupted()) {
        ERR_clear_error();
        SSL_shutdown(handle_.get());  // sends close_notify without waiting for the peer's
        ERR_clear_error();
    }
}

bool tls_session::configure(const std::string& host) {
    SSL* const handle = handle_.get();
    BIO* const bio = handle == nullptr || socket_bio::method() == nullptr ? nullptr : BIO_new(socket_bio::method());
    if (bio == nullptr) {
        return false;
    }
    BIO_set_data(bio, &socket_);
    BIO_set_init(bio, 1);
    SSL_set_bio(handle, bio, bio);
    SSL_set_connect_state(handle);
    X509_VERIFY_PARAM* const rules = SSL_get0_param(handle);
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (is_numeric_address(host)) {
        return X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str()) == 1;
    }
    return X509_VERIFY_PARAM_set1_host(rules, host.c_str(), host.size()) == 1 && SSL_set_tlsext_host_name(handle, host.c_str()) == 1;
}

result<std::unique_ptr<tls_session>> tls_session::open(const tls_context& context, tcp_socket& socket, const std::string& host,
                                                       const std::string& name) {
    std::unique_ptr<tls_session> session(new tls_session(context, socket));
    ERR_clear_error();
    if (!session->configure(host)) {
        return connection_failure("OpenSSL could not be configured for " + name, "The service could not be reached securely.");
    }
    for (;;) {
        ERR_clear_error();
        const int outcome = SSL_do_handshake(session->handle_.get());
        if (outcome == 1) {
            session->healthy_ = true;
            return session;
        }
        if (!session->wait_to_retry(outcome)) {
            return session->handshake_failure(name);
        }
    }
}

failure tls_session::handshake_failure(const std::string& name) const {
    if (const long verification = SSL_get_verify_result(handle_.get()); verification != X509_V_OK) {
        const std::string why = verification == X509_V_ERR_HOSTNAME_MISMATCH || verification == X509_V_ERR_IP_ADDRESS_MISMATCH
                                    ? "it is for another host"
                                    : X509_verify_cert_error_string(verification);
        return connection_failure("the certificate of " + name + " was refused: " + why,
                                  "The service could not be reached securely: its certificate was refused (" + why + ").");
    }
    const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
    ERR_clear_error();
    return connection_failure("the TLS handshake with " + name + " failed" + (reason == nullptr ? "" : std::string(": ") + reason),
                              "The service could not be reached (the TLS handshake failed).");
}

bool tls_session::wait_to_retry(int outcome) {
    switch (SSL_get_error(handle_.get(), outcome)) {
        case SSL_ERROR_WANT_READ: return socket_.wait(tcp_socket::readiness::to_receive);
        case SSL_ERROR_WANT_WRITE: return socket_.wait(tcp_socket::readiness::to_send);
        case SSL_ERROR_ZERO_RETURN: closed_by_peer_ = true; return false;
        default: healthy_ = false; return false;
    }
}

std::ptrdiff_t tls_session::receive(char* to, std::size_t size) {
    while (socket_.in_time()) {
        ERR_clear_error();
        const int count = SSL_read(handle_.get(), to, static_cast<int>(std::min<std::size_t>(size, INT_MAX)));
        if (count > 0) {
            return count;
        }
        if (!wait_to_retry(count)) {
            return closed_by_peer_ ? 0 : broken;
        }
    }
    return broken;
}

bool tls_session::send(std::string_view bytes) {
    while (!bytes.empty()) {
        if (!socket_.in_time()) {
            return false;
        }
        ERR_clear_error();
        const int count = SSL_write(handle_.get(), bytes.data(), static_cast<int>(std::min<std::size_t>(bytes.size(), INT_MAX)));
        if (count > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(count));
        } else if (!wait_to_retry(count)) {
            return false;
        }
    }
    return true;
}

bool tls_session::idle() {
    ERR_clear_error();
    char byte = 0;
    const int count = healthy_ && !closed_by_peer_ && !socket_.interrupted() ? SSL_peek(handle_.get(), &byte, 1) : 1;
    return count <= 0 && SSL_get_error(handle_.get(), count) == SSL_ERROR_WANT_READ;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
