#include "editor/key_source.hpp"

#include "terminal/interrupts.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

namespace repl {

namespace {

constexpr int burst_gap_ms = 15;    // longer than the gaps in a burst of bytes, shorter than the gaps between typed keys
constexpr int escape_wait_ms = 50;  // for the rest of a sequence that begins with ESC

bool readable(int descriptor, int wait_ms) {
    pollfd ready{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, wait_ms) > 0;
}

}  // namespace

/// Returns false at the end of the input.
bool key_source::read_bytes(bool typed_ahead) {
    std::array<char, 65536> chunk;
    const ssize_t got = ::read(0, chunk.data(), chunk.size());
    if (got > 0) {
        const auto size = static_cast<std::size_t>(got);
        if (typed_ahead) {
            std::replace(chunk.begin(), chunk.begin() + got, '\0', '\x04');
        }
        decoder_.feed({chunk.data(), size});
        return true;
    }
    return got < 0 && (errno == EINTR || errno == EAGAIN);
}

void key_source::read_typed_ahead() {
    if (readable(0, 0)) {
        static_cast<void>(read_bytes(true));  // at the end of the input the next read says so again
    }
}

key_source::event key_source::wait(int output_descriptor) {
    for (;;) {
        if (std::optional<key> next = decoder_.next()) {
            pressed_ = *std::move(next);
            return event::key;
        }
        std::array<pollfd, 3> ready = {pollfd{.fd = 0, .events = POLLIN, .revents = 0},
                                       pollfd{.fd = interrupts::wake_descriptor(), .events = POLLIN, .revents = 0},
                                       pollfd{.fd = output_descriptor, .events = POLLIN, .revents = 0}};
        const int count = ::poll(ready.data(), ready.size(), decoder_.unfinished() ? escape_wait_ms : -1);
        if (ready[1].revents != 0 || count < 0) {
            return event::signal;
        }
        if (count == 0) {
            decoder_.settle();
        } else if (ready[0].revents != 0) {
            if (!read_bytes()) {
                return event::closed;
            }
        } else {
            return event::output;
        }
    }
}

bool key_source::in_burst(bool briefly) {
    if (!decoder_.has_more() && briefly && readable(0, burst_gap_ms)) {
        static_cast<void>(read_bytes());
    }
    return decoder_.has_more();
}

bool key_source::has_input() const {
    return decoder_.has_more() || readable(0, 0);
}

}  // namespace repl
