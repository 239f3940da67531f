#pragma once
#include "net/tcp_socket.hpp"

#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The TLS configuration of a transport: CA certificates, and TLS 1.2 as the minimum version.
using tls_context = std::shared_ptr<ssl_ctx_st>;

/// Loads the CA certificates. An empty `ca_file` means the system's, as OpenSSL finds them (also by SSL_CERT_FILE and SSL_CERT_DIR).
/// Fails with `connection_failed`.
[[nodiscard]] result<tls_context> load_tls_context(const std::string& ca_file);

/// A TLS stream over a connected socket, which must outlive it.
class tls_session final : public byte_stream {
public:
    /// Performs the handshake and verifies the certificate for `host`; messages call the peer `name`. Fails with `connection_failed`.
    [[nodiscard]] static result<std::unique_ptr<tls_session>> open(const tls_context& context, tcp_socket& socket, const std::string& host,
                                                                   const std::string& name);

    ~tls_session() override;

    /// Returns 0 only after the peer's close_notify. This detects a truncated response that has no length.
    [[nodiscard]] std::ptrdiff_t receive(char* to, std::size_t size) override;
    [[nodiscard]] bool send(std::string_view bytes) override;
    /// Also processes TLS messages without application data, such as session tickets.
    [[nodiscard]] bool idle() override;

private:
    tls_session(const tls_context& context, tcp_socket& socket);
    [[nodiscard]] bool configure(const std::string& host);
    /// Waits for what an incomplete OpenSSL call needs. Returns whether to repeat the call.
    [[nodiscard]] bool wait_to_retry(int outcome);
    [[nodiscard]] failure handshake_failure(const std::string& name) const;

    tcp_socket& socket_;
    std::unique_ptr<ssl_st, void (*)(ssl_st*)> handle_;
    bool healthy_ = false;         ///< no error since the handshake
    bool closed_by_peer_ = false;  ///< the peer has sent close_notify
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
