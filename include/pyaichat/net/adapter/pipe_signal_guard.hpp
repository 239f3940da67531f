#pragma once
/// For the adapters over HTTP libraries of the host, on POSIX systems.
#include <pyaichat/config/config.hpp>

#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace pyaichat::inline PYAICHAT_ABI::net::adapter {

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
