#include "net/tls_context.hpp"

#include "net/connection_failure.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

namespace pyaichat::inline PYAICHAT_ABI::net {

result<tls_context> load_tls_context(const std::string& ca_file) {
    ERR_clear_error();
    tls_context context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
    SSL_CTX* const handle = context.get();
    if (handle == nullptr || SSL_CTX_set_min_proto_version(handle, TLS1_2_VERSION) != 1) {
        return connection_failure("OpenSSL could not be configured for TLS 1.2", "The service could not be reached securely.");
    }
    SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nullptr);
    SSL_CTX_set_mode(handle, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(handle, SSL_OP_NO_RENEGOTIATION);  // otherwise sending could wait for bytes of the peer
    const int loaded =
        ca_file.empty() ? SSL_CTX_set_default_verify_paths(handle) : SSL_CTX_load_verify_locations(handle, ca_file.c_str(), nullptr);
    ERR_clear_error();
    if (loaded != 1) {
        const std::string source = ca_file.empty() ? "of the system" : "in the CA file " + ca_file;
        return setup_failure("the certificates " + source + " could not be read",
                             "The certificates " + source + " could not be read. Check that the file exists and is in PEM format.");
    }
    return context;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
