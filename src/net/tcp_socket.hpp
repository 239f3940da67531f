#pragma once
#include "net/byte_stream.hpp"

#include <pyaichat/core/result.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// A TCP connection that never waits longer than it may, and that any thread can interrupt at any moment, also while it is being made.
/// Raises no SIGPIPE. Nagle's delay is off: with it a small request waits 40 ms for the acknowledgement of the last one.
class tcp_socket final : public byte_stream {
public:
    using time_point = std::chrono::steady_clock::time_point;
    enum class readiness : unsigned char { to_receive, to_send };
    static constexpr std::ptrdiff_t would_block = -2;

    tcp_socket();
    ~tcp_socket() override;

    /// No wait lasts beyond this.
    void wait_until(time_point deadline) noexcept { deadline_ = deadline; }

    /// Connects to a numeric address; an earlier connection is closed. Fails with `connection_failed` and the system's word for the reason
    /// ("connection refused") as message.
    [[nodiscard]] result<void> connect(const std::string& address, int port, time_point deadline);

    [[nodiscard]] std::ptrdiff_t receive(char* to, std::size_t size) override;
    [[nodiscard]] bool send(std::string_view bytes) override;
    [[nodiscard]] bool idle() override;

    /// The same without waiting: a count, 0 (the peer's end), `would_block` or `broken`.
    [[nodiscard]] std::ptrdiff_t try_receive(char* to, std::size_t size) noexcept;
    [[nodiscard]] std::ptrdiff_t try_send(const char* from, std::size_t size) noexcept;
    /// False when the time is over or the socket was interrupted first.
    [[nodiscard]] bool wait(readiness what) noexcept { return wait(what, deadline_); }
    /// Whether there is time left and nobody has interrupted. A peer that always has data ready is never waited for.
    [[nodiscard]] bool in_time() const noexcept;

    /// Any thread: every wait, present and future, ends at once. There is no way back.
    void interrupt() noexcept;
    [[nodiscard]] bool interrupted() const noexcept { return interrupted_; }

private:
    [[nodiscard]] bool wait(readiness what, time_point deadline) noexcept;
    [[nodiscard]] result<void> begin(const std::string& address, int port);
    void close() noexcept;

    int descriptor_ = -1;
    int wake_[2] = {-1, -1};  ///< a pipe: what is written to it wakes the waiting thread
    std::atomic<bool> interrupted_ = false;
    time_point deadline_ = time_point::max();
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
