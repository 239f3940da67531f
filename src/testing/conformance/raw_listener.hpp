#pragma once
/// Listeners on 127.0.0.1 below HTTP, for states in which a connection gets no response. Implemented by `raw_listener_posix.cpp` only.
#include <pyaichat/core/time.hpp>

#include <cstddef>
#include <functional>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Accepts connections, reads from each up to a number of bytes, and then does nothing more with it until the end, or closes it.
class raw_listener {
public:
    enum class behaviour : unsigned char {
        hangs,          ///< reads no more and keeps the connection open
        breaks_writes,  ///< ends its own side, and then closes with unread bytes: further writes of the peer raise SIGPIPE
    };

    /// Reads at least `bytes` from each connection.
    raw_listener(std::size_t bytes, behaviour then);
    /// Closes all connections and joins the thread.
    ~raw_listener();

    [[nodiscard]] int port() const noexcept;
    /// The number of connections that have sent `bytes`.
    [[nodiscard]] int reached() const noexcept;
    [[nodiscard]] int accepted() const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// A listener with a full queue: connecting to it hangs.
class deaf_listener {
public:
    deaf_listener();
    deaf_listener(const deaf_listener&) = delete;
    deaf_listener& operator=(const deaf_listener&) = delete;
    ~deaf_listener();

    [[nodiscard]] int port() const noexcept;

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// Returns a port of 127.0.0.1 on which nobody listens.
[[nodiscard]] int unused_port();

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
