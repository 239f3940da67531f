#pragma once
/// For the adapter over cpp-httplib, on POSIX systems: ends an exchange of a blocking library from outside.
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/detail/quiet_thread.hpp>
#include <pyaichat/core/result.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net::adapter {

/// A second descriptor for the socket of a library. The library may close its own at any time, and the number may then belong to
/// somebody else; this one stays valid. Thread-safe.
class socket_copy {
public:
    socket_copy() = default;
    socket_copy(const socket_copy&) = delete;
    socket_copy& operator=(const socket_copy&) = delete;
    ~socket_copy() { replace(-1); }

    /// Copies the descriptor of a new socket. The copy of the socket before is closed.
    void follow(int descriptor) noexcept { replace(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)); }

    /// Ends every operation on the socket.
    void shut_down() noexcept {
        const std::lock_guard lock(mutex_);
        if (copy_ >= 0) {
            ::shutdown(copy_, SHUT_RDWR);
        }
    }

    /// Returns whether the connection is open and the peer has sent nothing that is unread.
    [[nodiscard]] bool idle() noexcept {
        const std::lock_guard lock(mutex_);
        pollfd state = {copy_, POLLIN, 0};
        return copy_ >= 0 && ::poll(&state, 1, 0) == 0;
    }

private:
    void replace(int copy) noexcept {
        const std::lock_guard lock(mutex_);
        if (const int before = std::exchange(copy_, copy); before >= 0) {
            ::close(before);
        }
    }

    std::mutex mutex_;
    int copy_ = -1;
};

/// Shuts sockets down at the deadline or the cancellation of their exchange, on a thread of its own. Thread-safe.
class socket_watch {
    struct watched {
        socket_copy* socket = nullptr;
        std::chrono::steady_clock::time_point due = {};
        cancel_token cancel = {};
    };

public:
    using clock = std::chrono::steady_clock;

    socket_watch() = default;
    socket_watch(const socket_watch&) = delete;
    socket_watch& operator=(const socket_watch&) = delete;
    ~socket_watch() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
            changed_.notify_all();
        }
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    /// Starts the thread, unless it runs. Fails with `internal` if the system refuses a thread.
    [[nodiscard]] result<void> start() {
        const std::lock_guard lock(mutex_);
        if (thread_.joinable()) {
            return {};
        }
        result<std::thread> started = detail::start_quiet_thread([this] { run(); });
        if (!started) {
            return std::move(started).error();
        }
        thread_ = std::move(*started);
        return {};
    }

    /// An exchange that is watched as long as this object lives.
    class guard {
    public:
        /// The watch must have been started. It and the socket must outlive this object.
        guard(socket_watch& watch, socket_copy& socket, clock::time_point deadline, const cancel_token& cancel)
            : watch_(watch), entry_(watch.add({&socket, deadline, cancel})), wake_(std::in_place, cancel, [&watch] { watch.wake(); }) {}
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        ~guard() {
            wake_.reset();  // may wait for its callback, which locks the mutex
            watch_.remove(entry_);
        }

    private:
        socket_watch& watch_;
        std::list<watched>::iterator entry_;
        std::optional<cancel_callback<std::function<void()>>> wake_;
    };

private:
    [[nodiscard]] std::list<watched>::iterator add(watched exchange) {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
        return watched_.insert(watched_.end(), std::move(exchange));
    }
    void remove(std::list<watched>::iterator entry) {
        const std::lock_guard lock(mutex_);
        watched_.erase(entry);
    }
    void wake() {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
    }

    void run() {
        // A socket that is not connected yet cannot be shut down, and the library may open another one: so it is done again until the
        // exchange has ended.
        constexpr auto again = std::chrono::milliseconds(5);
        std::unique_lock lock(mutex_);
        while (!stopping_) {
            const clock::time_point now = clock::now();
            clock::time_point next = clock::time_point::max();
            for (watched& each : watched_) {
                if (each.due <= now || each.cancel.stop_requested()) {
                    each.socket->shut_down();
                    each.due = now + again;
                }
                next = std::min(next, each.due);
            }
            if (next == clock::time_point::max()) {
                changed_.wait(lock);
            } else {
                changed_.wait_until(lock, next);
            }
        }
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<watched> watched_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net::adapter
