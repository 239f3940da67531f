#include "net/reactor.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

bool reactor::add(int descriptor, poll_target& target) {
    return poller_ != nullptr && poller_->add(descriptor, target);
}

void reactor::remove(int descriptor, poll_target& target) noexcept {
    if (poller_ != nullptr) {
        poller_->remove(descriptor);
    }
    if (target.queued) {
        std::replace(current_.begin(), current_.end(), &target, static_cast<poll_target*>(nullptr));
        std::erase(next_, &target);
        target.queued = false;
    }
}

void reactor::again(poll_target& target) {
    if (!target.queued) {
        target.queued = true;
        next_.push_back(&target);
    }
}

bool reactor::turn(time_point until) {
    current_.swap(next_);
    if (poller_ != nullptr) {
        const std::size_t waiting = current_.size();
        poller_->wait(waiting == 0 ? std::min(until, timers_.first()) : time_point::min(), current_);
        // A target that was queued before appears once.
        const auto fresh = current_.begin() + static_cast<std::ptrdiff_t>(waiting);
        current_.erase(std::remove_if(fresh, current_.end(), [](poll_target* target) { return std::exchange(target->queued, true); }),
                       current_.end());
    }
    update_now();
    bool active = !current_.empty() || timers_.first() <= now_;
    bool has_time = true;
    for (std::size_t index = 0; index < current_.size(); ++index) {
        if (poll_target* const target = current_[index]; target != nullptr) {
            current_[index] = nullptr;
            if (!has_time) {
                next_.push_back(target);  // stays queued
                continue;
            }
            target->queued = false;
            target->ready();
            has_time = !over();
        }
    }
    current_.clear();
    while (has_time && timers_.expire_first(now_)) {
        has_time = !over();
    }
    return active;
}

void reactor::set_alarm() noexcept {
    if (poller_ != nullptr) {
        poller_->set_alarm(timers_.first());
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
