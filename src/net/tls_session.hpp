#pragma once
#include "net/tls_context.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

struct ssl_st;
struct ssl_session_st;

namespace pyaichat::inline PYAICHAT_ABI::net {

/// What a later connection to the same service needs to shorten its handshake.
using tls_ticket = std::shared_ptr<ssl_session_st>;

/// The client side of a TLS connection, without I/O: bytes of the peer go in, and bytes for the peer come out.
class tls_session {
public:
    enum class state : unsigned char {
        done,         ///< the operation is complete
        wants_input,  ///< it continues when more bytes of the peer have been fed
        closed,       ///< the peer has sent close_notify
        broken,       ///< see `complaint`
    };

    /// `host` is the name that the certificate must have; messages call the peer `name`. Fails with `connection_failed`.
    [[nodiscard]] static result<std::unique_ptr<tls_session>> make(const tls_context& context, const std::string& host,
                                                                   const std::string& name, const tls_ticket& ticket);

    /// Gives bytes of the peer. They must stay valid until an operation returns `wants_input`, `closed` or `broken`.
    void feed(std::string_view bytes) noexcept { input_ = bytes; }
    [[nodiscard]] bool has_input() const noexcept { return !input_.empty(); }
    /// Reports that the peer has ended the connection: no more bytes follow.
    void end_of_input() noexcept { input_ended_ = true; }

    /// Continues the handshake.
    [[nodiscard]] state shake_hands();
    /// Explains why the handshake is broken.
    [[nodiscard]] failure handshake_failure() const;
    /// Decrypts into a buffer. `done`: `size` is the number of bytes, at least 1. Fed bytes may be left.
    [[nodiscard]] state decrypt(char* to, std::size_t& size);
    /// Encrypts a text of at most 16 KiB into one record. Returns false if the session is broken.
    [[nodiscard]] bool encrypt(std::string_view text);
    /// Announces the end of the connection to the peer.
    void close();

    /// Returns the bytes for the peer. The caller removes what it has sent.
    [[nodiscard]] std::string& output() noexcept { return output_; }
    /// Returns OpenSSL's words for the error that ended the session, if the peer caused it; else an empty text.
    [[nodiscard]] const std::string& complaint() const noexcept { return complaint_; }
    /// Returns what resumes this session, or null.
    [[nodiscard]] tls_ticket ticket() const;

private:
    explicit tls_session(const tls_context& context, std::string name);
    [[nodiscard]] bool configure(const std::string& host);
    [[nodiscard]] state state_after(int outcome);

    struct buffers;  ///< what OpenSSL reads from and writes to
    friend struct buffers;

    std::unique_ptr<ssl_st, void (*)(ssl_st*)> handle_;
    std::string name_;
    std::string_view input_ = {};
    bool input_ended_ = false;
    bool healthy_ = false;  ///< no error since the handshake
    std::string output_ = {};
    std::string complaint_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
