#include "net/wake_signal.hpp"

#include <fcntl.h>
#include <unistd.h>
#if defined(__linux__)
    #include <sys/eventfd.h>
#endif

#include <cerrno>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::net {

wake_signal::wake_signal(reactor& loop) : loop_(loop) {
#if defined(__linux__)
    ends_[0] = ends_[1] = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
#else
    if (::pipe(ends_) != 0) {
        ends_[0] = ends_[1] = -1;
    }
    for (const int end : ends_) {
        ::fcntl(end, F_SETFD, FD_CLOEXEC);
        ::fcntl(end, F_SETFL, O_NONBLOCK);
    }
#endif
    writable = true;  // nobody waits for that
    works_ = ends_[0] >= 0 && loop_.add(ends_[0], *this);
}

wake_signal::~wake_signal() {
    if (ends_[0] < 0) {
        return;
    }
    loop_.remove(ends_[0], *this);
    ::close(ends_[0]);
    if (ends_[1] != ends_[0]) {
        ::close(ends_[1]);
    }
}

void wake_signal::raise() noexcept {
    const int saved = errno;
    const std::uint64_t one = 1;
    static_cast<void>(::write(ends_[1], &one, sizeof one) == sizeof one);  // a full pipe wakes as well
    errno = saved;
}

void wake_signal::ready() {
    std::uint64_t counts[8];
    while (::read(ends_[0], counts, sizeof counts) == sizeof counts) {
    }
    readable = false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
