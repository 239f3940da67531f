#if defined(__linux__)
    #include "net/poller.hpp"

    #include <sys/epoll.h>
    #include <sys/timerfd.h>
    #include <unistd.h>

    #include <algorithm>
    #include <array>
    #include <cerrno>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

/// Edge-triggered epoll: one registration for the life of a descriptor.
class epoll_poller final : public poller {
public:
    explicit epoll_poller(int descriptor) noexcept : descriptor_(descriptor) {}

    ~epoll_poller() override {
        ::close(descriptor_);
        if (alarm_ >= 0) {
            ::close(alarm_);
        }
    }

    bool add(int descriptor, poll_target& target) override {
        epoll_event event = {};
        event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
        if (!target.writable) {
            event.events |= EPOLLOUT;
        }
        event.data.ptr = &target;
        return ::epoll_ctl(descriptor_, EPOLL_CTL_ADD, descriptor, &event) == 0;
    }

    void remove(int descriptor) noexcept override {
        // Also before a close: a forked child may hold a copy of the socket, which would keep the registration.
        epoll_event unused = {};
        ::epoll_ctl(descriptor_, EPOLL_CTL_DEL, descriptor, &unused);
    }

    void wait(time_point until, std::vector<poll_target*>& ready) override {
        std::array<epoll_event, 256> events;
        const int count = ::epoll_wait(descriptor_, events.data(), static_cast<int>(events.size()), milliseconds_until(until));
        for (int index = 0; index < count; ++index) {
            const epoll_event& event = events[static_cast<std::size_t>(index)];
            auto* const target = static_cast<poll_target*>(event.data.ptr);
            if (target == nullptr) {  // the alarm has only made `descriptor()` readable
                continue;
            }
            const bool ended = (event.events & (EPOLLHUP | EPOLLERR | EPOLLRDHUP)) != 0;
            target->readable = target->readable || ended || (event.events & EPOLLIN) != 0;
            target->writable = target->writable || (event.events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0;
            target->hung_up = target->hung_up || ended;
            ready.push_back(target);
        }
    }

    int descriptor() const noexcept override { return descriptor_; }

    void set_alarm(time_point at) noexcept override {
        if (at == alarm_at_ || (alarm_ < 0 && !open_alarm())) {
            return;
        }
        alarm_at_ = at;
        itimerspec spec = {};  // all zero: never
        if (at != time_point::max()) {
            const auto since = std::max<std::chrono::nanoseconds>(at.time_since_epoch(), std::chrono::nanoseconds(1));
            const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
            spec.it_value.tv_sec = seconds.count();
            spec.it_value.tv_nsec = (since - seconds).count();
        }
        ::timerfd_settime(alarm_, TFD_TIMER_ABSTIME, &spec, nullptr);
    }

private:
    bool open_alarm() noexcept {
        alarm_ = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);  // the clock of steady_clock
        epoll_event event = {};
        event.events = EPOLLIN | EPOLLET;
        return alarm_ >= 0 && ::epoll_ctl(descriptor_, EPOLL_CTL_ADD, alarm_, &event) == 0;
    }

    static int milliseconds_until(time_point until) noexcept {
        if (until == time_point::min()) {
            return 0;
        }
        const auto now = std::chrono::steady_clock::now();
        if (until <= now) {
            return 0;
        }
        const auto left = std::min<std::chrono::steady_clock::duration>(until - now, std::chrono::hours(1));
        return static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(left).count());
    }

    int descriptor_;
    int alarm_ = -1;
    time_point alarm_at_ = time_point::max();
};

}  // namespace

std::unique_ptr<poller> make_epoll_poller() {
    const int descriptor = ::epoll_create1(EPOLL_CLOEXEC);
    return descriptor < 0 ? nullptr : std::make_unique<epoll_poller>(descriptor);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
#endif
