#pragma once
#include <pyaichat/core/failure.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Makes a failure of the connection, or of the peer at its other end.
[[nodiscard]] inline failure connection_failure(std::string message, std::string hint) {
    return {.code = errc::connection_failed, .message = std::move(message), .hint = std::move(hint)};
}

/// A plain or TLS connection. `receive` and `send` block until the deadline of the socket at most, or until it is interrupted.
class byte_stream {
public:
    static constexpr std::ptrdiff_t broken = -1;

    byte_stream() = default;
    byte_stream(const byte_stream&) = delete;
    byte_stream& operator=(const byte_stream&) = delete;
    virtual ~byte_stream() = default;

    /// Returns the number of bytes received (at most `size`), 0 if the peer has closed its side properly, or `broken`.
    [[nodiscard]] virtual std::ptrdiff_t receive(char* to, std::size_t size) = 0;
    /// Returns whether all bytes were sent.
    [[nodiscard]] virtual bool send(std::string_view bytes) = 0;
    /// Returns whether the connection is open and the peer has sent nothing that is unread. Does not block.
    [[nodiscard]] virtual bool idle() = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
