#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Bytes in both directions over one connection: plain or secured. `receive` and `send` wait until they can go on, at most until the time
/// that the socket below was given or until it is interrupted.
class byte_stream {
public:
    static constexpr std::ptrdiff_t broken = -1;

    byte_stream() = default;
    byte_stream(const byte_stream&) = delete;
    byte_stream& operator=(const byte_stream&) = delete;
    virtual ~byte_stream() = default;

    /// How many bytes came, at most `size`; 0 when the peer has ended its side properly, `broken` otherwise.
    [[nodiscard]] virtual std::ptrdiff_t receive(char* to, std::size_t size) = 0;
    /// Whether all of it went out.
    [[nodiscard]] virtual bool send(std::string_view bytes) = 0;
    /// Whether the connection stands, and the peer has neither sent anything that is unread nor closed. Does not wait.
    [[nodiscard]] virtual bool idle() = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
