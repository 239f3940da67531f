#pragma once
/// What the net room asks of the operating system, without any of its headers. `system_posix.cpp` is the only implementation so far.
#include <pyaichat/core/result.hpp>

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace pyaichat::inline v0::net {

/// The numeric addresses of a host, in the order in which they should be tried. Blocks for as long as the system's resolver likes.
/// Fails with `connection_failed`.
[[nodiscard]] result<std::vector<std::string>> lookup_addresses(const std::string& host);

/// Whether the text is a numeric address, which needs no look-up.
[[nodiscard]] bool is_numeric_address(const std::string& host);

/// The system's word for why no connection to the address can be made now ("connection refused"); empty when one can, or when that is not
/// known after `patience`. It connects and closes at once: ask only after a connection failed.
[[nodiscard]] std::string why_unreachable(const std::string& address, int port, duration patience);

/// Runs `body` so that a write to a closed connection raises no SIGPIPE, neither now nor when the caller's mask is back. Whatever mask and
/// pending signals the calling thread had before, it has after. The process's disposition is not touched.
void without_sigpipe(const std::function<void()>& body);

/// Starts a thread on which no signal of the process is ever delivered. Fails with `internal` when there are no threads left.
[[nodiscard]] result<std::thread> start_quiet_thread(std::function<void()> body);

/// A second descriptor of a connection's socket. It can end the connection from any thread while another one is blocked in it, and needs
/// none of that one's locks.
class socket_handle {
public:
    socket_handle() = default;
    socket_handle(const socket_handle&) = delete;
    socket_handle& operator=(const socket_handle&) = delete;
    ~socket_handle();

    /// From now on this is the socket. When `cut` was called before, it is shut down at once.
    void adopt(int socket) noexcept;
    /// Ends the connection and every one adopted later: whoever is blocked in it returns. May be called again and again.
    void cut() noexcept;
    /// Whether the peer has neither sent anything nor closed.
    [[nodiscard]] bool quiet() const noexcept;

private:
    void close() noexcept;

    mutable std::mutex mutex_;
    int descriptor_ = -1;
    bool cut_ = false;
};

}  // namespace pyaichat::inline v0::net
