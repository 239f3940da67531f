#include "net/loop_runner.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

reactor::time_point time_after(duration span) {
    return std::chrono::steady_clock::now() + bounded_wait(span);
}

}  // namespace

loop_runner::loop_runner(const options& chosen) : options_(chosen), reactor_(make_poller(chosen.poller)), signal_(reactor_) {}
loop_runner::~loop_runner() = default;

void loop_runner::enter(const lock_type&) noexcept {
    inside_ = std::this_thread::get_id();
}

void loop_runner::leave(const lock_type&) noexcept {
    if (!options_.own_thread) {
        reactor_.set_alarm();
        if (reactor_.has_ready() || !messages_.empty() || !client_->settled()) {
            signal_.raise();
        }
    }
    inside_ = std::thread::id();
}

void loop_runner::deliver(lock_type& lock) {
    if (messages_.empty()) {
        return;
    }
    delivered_.swap(messages_);
    lock.unlock();
    reactor_.update_now();
    auto next = delivered_.begin();
    for (bool has_time = true; has_time && next != delivered_.end(); has_time = !reactor_.over()) {
        std::exchange(*next++, nullptr)->arrive();
    }
    client_->settle();
    lock.lock();
    messages_.insert(messages_.begin(), std::make_move_iterator(next), std::make_move_iterator(delivered_.end()));
    delivered_.clear();
}

/// One wait, and what it brings. Does not sleep if there are messages.
bool loop_runner::turn(lock_type& lock, time_point until) {
    sleeping_ = messages_.empty() && !woken_ && !closed_;
    time_point limit = sleeping_ ? until : time_point::min();
    if (!signal_.works()) {  // the system is short of descriptors
        limit = std::min(limit, time_after(std::chrono::milliseconds(10)));
    }
    lock.unlock();
    const bool active = reactor_.turn(limit);
    client_->settle();
    lock.lock();
    sleeping_ = false;
    return active;
}

loop_runner::action loop_runner::hand_over(const lock_type&) noexcept {
    if (!options_.own_thread) {
        owner_ = owner::nobody;
        return action::signal;
    }
    owner_ = owner::thread;
    return std::exchange(thread_alive_, true) ? action::notify : action::spawn;
}

/// Finds out who takes a new message.
loop_runner::action loop_runner::attend(const lock_type& lock, bool urgent) noexcept {
    if (inside_.load() != std::thread::id()) {  // it looks for messages before it sleeps
        return std::exchange(sleeping_, false) ? action::signal : action::none;
    }
    switch (owner_) {
        case owner::thread:
        case owner::closer: return action::none;  // it is on its way into the loop
        case owner::claimer:
            if (!urgent || claimer_ == std::this_thread::get_id() || !options_.own_thread) {
                return action::none;
            }
            break;
        case owner::nobody: break;
    }
    return in_flight_ == 0 || closed_ ? action::none : hand_over(lock);
}

void loop_runner::start(std::shared_ptr<loop_work> work) {
    lock_type lock(mutex_);
    work->of_claimer_ = owner_ == owner::claimer && claimer_ == std::this_thread::get_id();
    ++in_flight_;
    foreign_ += work->of_claimer_ ? 0 : 1;
    messages_.push_back(work);
    const action what = attend(lock, true);
    lock.unlock();
    perform(what, work);
}

void loop_runner::post(std::shared_ptr<loop_message> message, bool urgent) {
    lock_type lock(mutex_);
    messages_.push_back(std::move(message));
    const action what = attend(lock, urgent);
    lock.unlock();
    perform(what, nullptr);
}

void loop_runner::ended(const loop_work& work) {
    const std::lock_guard lock(mutex_);
    --in_flight_;
    foreign_ -= work.of_claimer_ ? 0 : 1;
}

bool loop_runner::alone() {
    const std::lock_guard lock(mutex_);
    return in_flight_ <= 1;
}

bool loop_runner::claim() {
    return !forked() && take_claim(0);
}

bool loop_runner::take_over() {
    return !options_.own_thread && take_claim(std::numeric_limits<std::size_t>::max());
}

bool loop_runner::take_claim(std::size_t most_in_flight) {
    const std::lock_guard lock(mutex_);
    if (owner_ != owner::nobody || inside_.load() != std::thread::id() || in_flight_ > most_in_flight || closed_) {
        return false;
    }
    owner_ = owner::claimer;
    claimer_ = std::this_thread::get_id();
    return true;
}

bool loop_runner::holds_claim() {
    const std::lock_guard lock(mutex_);
    return owner_ == owner::claimer && claimer_ == std::this_thread::get_id();
}

bool loop_runner::run(duration span) {
    if (forked()) {
        return false;
    }
    lock_type lock(mutex_);
    if (owner_ != owner::claimer || claimer_ != std::this_thread::get_id() || closed_) {
        return false;
    }
    PYAICHAT_ASSERT(!inside(), "an event loop was run inside of itself");
    const time_point until = time_after(span);
    enter(lock);
    for (bool in_time = true;;) {
        deliver(lock);
        if (closed_) {
            finish_closing(lock);
            return false;
        }
        if (std::exchange(woken_, false) || !in_time) {
            break;
        }
        turn(lock, until);
        in_time = reactor_.now() < until;
    }
    leave(lock);
    // Work of others must not wait for what this thread does now.
    const action what = options_.own_thread && (in_flight_ > 1 || foreign_ > 0) ? hand_over(lock) : action::none;
    lock.unlock();
    perform(what, nullptr);
    return true;
}

void loop_runner::wake() noexcept {
    if (forked()) {
        return;
    }
    lock_type lock(mutex_);
    woken_ = true;
    const bool sleeps = owner_ == owner::claimer && !inside() && std::exchange(sleeping_, false);
    lock.unlock();
    if (sleeps) {
        signal_.raise();
    }
}

void loop_runner::release() noexcept {
    if (forked()) {
        return;
    }
    lock_type lock(mutex_);
    if (owner_ != owner::claimer || claimer_ != std::this_thread::get_id()) {
        return;
    }
    owner_ = owner::nobody;
    const action what = in_flight_ > 0 && !closed_ ? hand_over(lock) : action::none;
    lock.unlock();
    perform(what, nullptr);
}

void loop_runner::poll(duration budget) {
    lock_type lock(mutex_);
    if (owner_ != owner::nobody || inside_.load() != std::thread::id() || closed_) {
        return;
    }
    enter(lock);
    reactor_.limit_work(time_after(budget));
    bool more = true;
    while (more && !closed_) {
        deliver(lock);
        more = turn(lock, time_point::min()) && !reactor_.over();  // one of each at least, however small the budget
    }
    reactor_.limit_work(time_point::max());
    if (closed_) {
        return finish_closing(lock);
    }
    leave(lock);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
