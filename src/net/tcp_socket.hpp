#pragma once
#include "net/byte_stream.hpp"

#include <pyaichat/core/result.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// A TCP connection with a deadline, which any thread can interrupt, also during connect. Raises no SIGPIPE.
/// TCP_NODELAY is set: otherwise a small request may wait 40 ms for the acknowledgement of the last one.
class tcp_socket final : public byte_stream {
public:
    using time_point = std::chrono::steady_clock::time_point;
    enum class readiness : unsigned char { to_receive, to_send };
    static constexpr std::ptrdiff_t would_block = -2;

    tcp_socket();
    ~tcp_socket() override;

    /// Sets the deadline of all later waits.
    void wait_until(time_point deadline) noexcept { deadline_ = deadline; }

    /// Closes the current connection and connects to a numeric address. Fails with `connection_failed`; the message is the reason of the
    /// system ("connection refused").
    [[nodiscard]] result<void> connect(const std::string& address, int port, time_point deadline);

    [[nodiscard]] std::ptrdiff_t receive(char* to, std::size_t size) override;
    [[nodiscard]] bool send(std::string_view bytes) override;
    [[nodiscard]] bool idle() override;

    /// As `receive` and `send`, but without blocking: return a count, 0 (closed by the peer), `would_block` or `broken`.
    [[nodiscard]] std::ptrdiff_t try_receive(char* to, std::size_t size) noexcept;
    [[nodiscard]] std::ptrdiff_t try_send(const char* from, std::size_t size) noexcept;
    /// Waits until the socket is ready. Returns false after the deadline or an interruption.
    [[nodiscard]] bool wait(readiness what) noexcept { return wait(what, deadline_); }
    /// Returns whether the deadline has not passed and nobody has interrupted. Needed beside `wait` for a peer that always has data ready.
    [[nodiscard]] bool in_time() const noexcept;

    /// Ends all current and future waits permanently. Thread-safe.
    void interrupt() noexcept;
    [[nodiscard]] bool interrupted() const noexcept { return interrupted_; }

private:
    [[nodiscard]] bool wait(readiness what, time_point deadline) noexcept;
    [[nodiscard]] result<void> start_connect(const std::string& address, int port);
    void close() noexcept;

    int descriptor_ = -1;
    int wake_[2] = {-1, -1};  ///< a pipe: a byte in it wakes the waiting thread
    std::atomic<bool> interrupted_ = false;
    time_point deadline_ = time_point::max();
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
