#include "waker.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>

namespace bindings {

waker::waker() {
    std::array<int, 2> ends = {-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0) {
        read_ = ends[0];
        write_ = ends[1];
    }
}

waker::~waker() {
    if (read_ >= 0) {
        ::close(read_);
        ::close(write_);
    }
}

void waker::notify() const noexcept {
    const char byte = 0;
    // A full pipe is readable already.
    [[maybe_unused]] const auto written = ::write(write_, &byte, 1);
}

void waker::wait(std::chrono::nanoseconds span) const noexcept {
    // Without a pipe, the system ignores the entry and waits for the whole span.
    pollfd entry{.fd = read_, .events = POLLIN, .revents = 0};
    ::poll(&entry, 1, static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(span).count()));
}

void waker::drain() const noexcept {
    std::array<char, 256> bytes;
    while (::read(read_, bytes.data(), bytes.size()) > 0) {
    }
}

}  // namespace bindings
