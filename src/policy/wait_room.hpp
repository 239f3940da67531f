#pragma once
#include "policy/loop_claim.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A mutex and a condition, for one waiting thread. If that thread may run the loop of a transport, it does so instead of sleeping.
class wait_room {
public:
    /// Guards what the waiting thread waits for.
    [[nodiscard]] std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

    /// Wakes the waiting thread, and releases the lock first.
    void wake(std::unique_lock<std::mutex> lock) {
        const std::shared_ptr<event_loop> running = loop_;
        lock.unlock();
        if (running != nullptr) {
            running->wake();
        } else {
            arrival_.notify_one();
        }
    }

    /// Blocks until `ready()`, at most for `span`. May return earlier: check again.
    template <class Ready>
    void wait(std::unique_lock<std::mutex>& lock, duration span, loop_claim& claim, Ready ready) {
        if (!claim.hold()) {
            arrival_.wait_for(lock, bounded_wait(span), ready);
        } else if (!ready()) {
            loop_ = claim.loop();
            lock.unlock();
            claim.run(span);
            lock.lock();
            loop_.reset();
        }
    }

private:
    std::mutex mutex_;
    std::condition_variable arrival_;
    std::shared_ptr<event_loop> loop_;  ///< which the waiting thread runs
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
