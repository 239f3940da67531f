#pragma once
/// For the adapters over HTTP libraries of the host, on POSIX systems: threads and exchanges that leave the host's signals alone.
#include <pyaichat/core/result.hpp>

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net::adapter {

/// Starts a thread that blocks all signals. Fails with `internal` if the system refuses a thread.
template <class Body>
[[nodiscard]] result<std::thread> start_quiet_thread(Body body) {
    // The new thread inherits the mask.
    sigset_t all;
    sigfillset(&all);
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result<std::thread> started = guarded([&]() -> result<std::thread> { return std::thread(std::move(body)); },
                                          [](std::string_view text) -> result<std::thread> {
                                              return failure{.code = errc::internal,
                                                             .message = "no thread could be started: " + std::string(text),
                                                             .hint = "Run fewer tasks at the same time."};
                                          });
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started;
}

/// Keeps SIGPIPE away from the calling thread while it lives: a library that writes to a closed connection raises it. Does not change the
/// disposition of the process. A SIGPIPE that was pending before stays pending.
class pipe_signal_guard {
public:
    pipe_signal_guard() noexcept {
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    pipe_signal_guard(const pipe_signal_guard&) = delete;
    pipe_signal_guard& operator=(const pipe_signal_guard&) = delete;
    ~pipe_signal_guard() {
        if (!was_pending_) {
            const timespec at_once = {};
            sigtimedwait(&pipe_, nullptr, &at_once);  // takes the signal of this thread, if there is one
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

private:
    sigset_t pipe_ = {};
    sigset_t before_ = {};
    bool was_pending_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net::adapter
