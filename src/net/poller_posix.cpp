#include "net/poller.hpp"

#include <poll.h>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

/// `poll`: level-triggered, so it waits only for what the flags do not say yet.
class portable_poller final : public poller {
public:
    bool add(int descriptor, poll_target& target) override {
        watched_.push_back({descriptor, &target});
        return true;
    }

    void remove(int descriptor) noexcept override {
        std::erase_if(watched_, [&](const watched& entry) { return entry.descriptor == descriptor; });
    }

    void wait(time_point until, std::vector<poll_target*>& ready) override {
        asked_.clear();
        for (const watched& entry : watched_) {
            const int events = (entry.target->readable ? 0 : POLLIN) | (entry.target->writable ? 0 : POLLOUT);
            asked_.push_back({entry.target->hung_up ? -1 : entry.descriptor, static_cast<short>(events), 0});
        }
        if (::poll(asked_.data(), asked_.size(), milliseconds_until(until)) <= 0) {
            return;
        }
        for (std::size_t index = 0; index < asked_.size(); ++index) {
            const int seen = asked_[index].revents;
            if (seen == 0) {
                continue;
            }
            poll_target& target = *watched_[index].target;
            const bool ended = (seen & (POLLHUP | POLLERR | POLLNVAL)) != 0;
            target.readable = target.readable || ended || (seen & POLLIN) != 0;
            target.writable = target.writable || ended || (seen & POLLOUT) != 0;
            target.hung_up = target.hung_up || ended;
            ready.push_back(&target);
        }
    }

private:
    struct watched {
        int descriptor;
        poll_target* target;
    };

    static int milliseconds_until(time_point until) noexcept {
        const auto now = std::chrono::steady_clock::now();
        if (until <= now) {
            return 0;
        }
        const auto left = std::min<std::chrono::steady_clock::duration>(until - now, std::chrono::hours(1));
        return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
    }

    std::vector<watched> watched_ = {};
    std::vector<pollfd> asked_ = {};
};

}  // namespace

std::unique_ptr<poller> make_portable_poller() {
    return std::make_unique<portable_poller>();
}

#if !defined(__linux__)
std::unique_ptr<poller> make_epoll_poller() {
    return nullptr;
}
#endif

std::unique_ptr<poller> make_poller(poller_kind kind) {
    std::unique_ptr<poller> best = kind == poller_kind::best ? make_epoll_poller() : nullptr;
    return best != nullptr ? std::move(best) : make_portable_poller();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
