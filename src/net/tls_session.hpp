#pragma once
#include "net/tcp_socket.hpp"

#include <memory>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace pyaichat::inline PYAICHAT_ABI::net {

/// What the TLS sessions of a transport share: whom they trust, and TLS 1.2 as the lowest version.
class tls_context {
public:
    /// `ca_file` is empty for the system's store (as OpenSSL finds it, SSL_CERT_FILE and SSL_CERT_DIR included).
    /// Fails with `connection_failed`.
    [[nodiscard]] static result<std::shared_ptr<const tls_context>> load(const std::string& ca_file);

    explicit tls_context(ssl_ctx_st* handle) noexcept : handle_(handle) {}
    tls_context(const tls_context&) = delete;
    tls_context& operator=(const tls_context&) = delete;
    ~tls_context();

    [[nodiscard]] ssl_ctx_st* handle() const noexcept { return handle_; }

private:
    ssl_ctx_st* handle_;
};

/// A secured stream over a connected socket, which has to outlive it. The peer's certificate names the host that was asked for.
class tls_session final : public byte_stream {
public:
    /// The handshake; waits as the socket may. Fails with `connection_failed`; `name` is the peer in texts.
    [[nodiscard]] static result<std::unique_ptr<tls_session>> open(std::shared_ptr<const tls_context> context, tcp_socket& socket,
                                                                   const std::string& host, const std::string& name);

    ~tls_session() override;

    /// 0 only after the peer's farewell: a connection that was cut in the middle is told from a response that has no length.
    [[nodiscard]] std::ptrdiff_t receive(char* to, std::size_t size) override;
    [[nodiscard]] bool send(std::string_view bytes) override;
    /// Takes in what TLS sends by itself, such as tickets for a later session.
    [[nodiscard]] bool idle() override;

private:
    struct session_delete {
        void operator()(ssl_st* handle) const noexcept;
    };

    tls_session(std::shared_ptr<const tls_context> context, tcp_socket& socket);
    [[nodiscard]] bool expect(const std::string& host);
    /// After a call of OpenSSL that did not do all: whether it can be made again, after waiting for what it wants.
    [[nodiscard]] bool wait_for_another_try(int outcome);
    [[nodiscard]] failure refused(const std::string& name) const;

    std::shared_ptr<const tls_context> context_;
    tcp_socket& socket_;
    std::unique_ptr<ssl_st, session_delete> handle_;
    bool sound_ = false;     ///< nothing has gone wrong since the handshake
    bool farewell_ = false;  ///< the peer has ended its side properly
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
