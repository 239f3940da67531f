/// The thread of a `loop_runner`, and its end.
#include "net/loop_runner.hpp"

#include <pyaichat/core/detail/quiet_thread.hpp>

#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

void loop_runner::perform(action what, const std::shared_ptr<loop_work>& cause) {
    switch (what) {
        case action::none: return;
        case action::signal: return signal_.raise();
        case action::notify: return thread_work_.notify_one();
        case action::spawn: break;
    }
    result<std::thread> thread = detail::start_quiet_thread([self = shared_from_this()] { self->thread_main(); });
    if (thread) {
        return thread->detach();
    }
    lock_type lock(mutex_);
    thread_alive_ = false;
    owner_ = owner_ == owner::thread ? owner::nobody : owner_;
    changed_.notify_all();
    if (cause != nullptr && std::erase(messages_, cause) > 0) {
        --in_flight_;
        foreign_ -= cause->of_claimer_ ? 0 : 1;
        lock.unlock();
        cause->refuse(thread.error());
    }
}

void loop_runner::thread_main() {
    lock_type lock(mutex_);
    for (;;) {
        if (owner_ == owner::thread) {
            enter(lock);
            while (in_flight_ > 0 && !closed_) {
                deliver(lock);
                if (in_flight_ > 0 && !closed_) {
                    turn(lock, time_point::max());
                }
            }
            if (closed_) {
                finish_closing(lock);
                break;
            }
            leave(lock);
            owner_ = owner::nobody;
        }
        const bool more = thread_work_.wait_for(lock, options_.thread_idle, [&] { return owner_ == owner::thread || closed_; });
        if (owner_ != owner::thread && (!more || closed_)) {
            break;
        }
    }
    thread_alive_ = false;
    changed_.notify_all();
}

void loop_runner::finish_closing(lock_type& lock) {
    do {
        lock.unlock();
        client_->end_all();
        lock.lock();
        deliver(lock);
    } while (!messages_.empty());
    leave(lock);
    owner_ = owner::nobody;
    thread_work_.notify_all();
    changed_.notify_all();
}

void loop_runner::close() noexcept {
    lock_type lock(mutex_);
    closed_ = true;
    if (inside()) {
        return;  // the loop ends when the callback has returned
    }
    if (inside_.load() != std::thread::id()) {
        if (std::exchange(sleeping_, false)) {
            signal_.raise();
        }
    } else if (owner_ != owner::thread) {
        owner_ = owner::closer;
        enter(lock);
        finish_closing(lock);
    }
    thread_work_.notify_all();
    changed_.wait_for(lock, options_.shutdown,
                      [&] { return !thread_alive_ && owner_ != owner::thread && inside_.load() == std::thread::id(); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
