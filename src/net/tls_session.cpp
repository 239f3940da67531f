#include "net/tls_session.hpp"

#include "net/connection_failure.hpp"
#include "net/system.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <climits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// A BIO over the buffers of a session. OpenSSL's own memory BIO would copy the input.
struct tls_session::buffers {
    static tls_session& session_of(BIO* bio) { return *static_cast<tls_session*>(BIO_get_data(bio)); }

    static int read(BIO* bio, char* to, int size) {
        tls_session& self = session_of(bio);
        BIO_clear_retry_flags(bio);
        if (self.input_.empty()) {
            if (self.input_ended_) {
                return 0;
            }
            BIO_set_retry_read(bio);
            return -1;
        }
        const std::size_t count = self.input_.copy(to, static_cast<std::size_t>(size));
        self.input_.remove_prefix(count);
        return static_cast<int>(count);
    }

    static int write(BIO* bio, const char* from, int size) {
        BIO_clear_retry_flags(bio);
        session_of(bio).output_.append(from, static_cast<std::size_t>(size));
        return size;
    }

    static long control(BIO*, int command, long, void*) { return command == BIO_CTRL_FLUSH ? 1 : 0; }

    static const BIO_METHOD* method() {
        static const std::unique_ptr<BIO_METHOD, decltype(&BIO_meth_free)> instance = [] {
            BIO_METHOD* const created = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "pyaichat buffers");
            if (created != nullptr) {
                BIO_meth_set_read(created, &read);
                BIO_meth_set_write(created, &write);
                BIO_meth_set_ctrl(created, &control);
            }
            return std::unique_ptr<BIO_METHOD, decltype(&BIO_meth_free)>(created, &BIO_meth_free);
        }();
        return instance.get();
    }
};

namespace {

/// Returns OpenSSL's words for the last error, unless the connection has just ended: the peer has said nothing then.
std::string peer_complaint() {
    const unsigned long error = ERR_peek_last_error();
#if defined(SSL_R_UNEXPECTED_EOF_WHILE_READING)
    if (ERR_GET_REASON(error) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
        return {};
    }
#endif
    const char* const reason = ERR_reason_error_string(error);
    return reason == nullptr ? "" : reason;
}

}  // namespace

tls_session::tls_session(const tls_context& context, std::string name)
    : handle_(SSL_new(context.get()), &SSL_free), name_(std::move(name)) {}  // the handle keeps the context

bool tls_session::configure(const std::string& host) {
    SSL* const handle = handle_.get();
    BIO* const bio = handle == nullptr || buffers::method() == nullptr ? nullptr : BIO_new(buffers::method());
    if (bio == nullptr) {
        return false;
    }
    BIO_set_data(bio, this);
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

result<std::unique_ptr<tls_session>> tls_session::make(const tls_context& context, const std::string& host, const std::string& name,
                                                       const tls_ticket& ticket) {
    std::unique_ptr<tls_session> session(new tls_session(context, name));
    ERR_clear_error();
    if (!session->configure(host)) {
        return connection_failure("OpenSSL could not be configured for " + name, "The service could not be reached securely.");
    }
    if (ticket != nullptr) {
        SSL_set_session(session->handle_.get(), ticket.get());
        ERR_clear_error();  // without it the handshake is a full one
    }
    return session;
}

tls_session::state tls_session::state_after(int outcome) {
    switch (SSL_get_error(handle_.get(), outcome)) {
        case SSL_ERROR_WANT_READ: return state::wants_input;
        case SSL_ERROR_ZERO_RETURN: return state::closed;
        case SSL_ERROR_SSL: complaint_ = peer_complaint(); break;
        default: break;
    }
    healthy_ = false;
    ERR_clear_error();
    return state::broken;
}

tls_session::state tls_session::shake_hands() {
    ERR_clear_error();
    const int outcome = SSL_do_handshake(handle_.get());
    if (outcome != 1) {
        return state_after(outcome);
    }
    healthy_ = true;
    return state::done;
}

failure tls_session::handshake_failure() const {
    if (const long verification = SSL_get_verify_result(handle_.get()); verification != X509_V_OK) {
        const std::string why = verification == X509_V_ERR_HOSTNAME_MISMATCH || verification == X509_V_ERR_IP_ADDRESS_MISMATCH
                                    ? "it is for another host"
                                    : X509_verify_cert_error_string(verification);
        return setup_failure("the certificate of " + name_ + " was refused: " + why,
                             "The service could not be reached securely: its certificate was refused (" + why + ").");
    }
    if (!complaint_.empty()) {
        return setup_failure("the TLS handshake with " + name_ + " failed: " + complaint_,
                             "The service could not be reached (the TLS handshake failed: " + complaint_ + ").");
    }
    return connection_failure("the TLS handshake with " + name_ + " failed",
                              "The service could not be reached (the TLS handshake failed).");
}

tls_session::state tls_session::decrypt(char* to, std::size_t& size) {
    ERR_clear_error();
    const int count = SSL_read(handle_.get(), to, static_cast<int>(std::min<std::size_t>(size, INT_MAX)));
    if (count <= 0) {
        return state_after(count);
    }
    size = static_cast<std::size_t>(count);
    return state::done;
}

bool tls_session::encrypt(std::string_view text) {
    while (!text.empty()) {
        ERR_clear_error();
        const int count = SSL_write(handle_.get(), text.data(), static_cast<int>(text.size()));
        if (count <= 0) {
            static_cast<void>(state_after(count));
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

void tls_session::close() {
    if (healthy_) {
        ERR_clear_error();
        SSL_shutdown(handle_.get());  // writes close_notify, and does not wait for the peer's
        ERR_clear_error();
    }
}

tls_ticket tls_session::ticket() const {
    SSL_SESSION* const latest = SSL_get0_session(handle_.get());
    if (latest == nullptr || SSL_SESSION_is_resumable(latest) != 1) {
        return nullptr;
    }
    // A copy: OpenSSL makes the session itself useless when the connection ends without a farewell.
    return {SSL_SESSION_dup(latest), &SSL_SESSION_free};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
