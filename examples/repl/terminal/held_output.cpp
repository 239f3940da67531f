#include "terminal/screen.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

// Output while a prompt is shown: threads of Python print at any time.

namespace repl {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t most_held = std::size_t{1} << 20U;
constexpr auto patience = 100ms;  // short: the thread that prints may hold Python's lock

}  // namespace

int screen::hold() {
    const std::lock_guard lock(mutex_);
    if (wake_[0] < 0) {
        static_cast<void>(!::pipe2(wake_, O_CLOEXEC | O_NONBLOCK));
    }
    holding_ = true;
    return wake_[0];
}

void screen::keep(std::string_view text, std::unique_lock<std::mutex>& lock) {
    taken_.wait_for(lock, patience, [&] { return !holding_ || held_.size() + text.size() <= most_held || text.size() > most_held; });
    if (!holding_) {
        put(text);
        return;
    }
    const std::size_t room = most_held - std::min(most_held, held_.size());
    dropped_ += text.size() - std::min(room, text.size());
    const bool wakes = held_.empty();
    held_.append(text.substr(0, room));
    if (wakes) {
        const char byte = 0;
        static_cast<void>(!::write(wake_[1], &byte, 1));
    }
}

std::string screen::exchange_held() {
    std::string text = std::exchange(held_, {});
    if (const std::size_t dropped = std::exchange(dropped_, 0); dropped > 0) {
        text += "\n[" + std::to_string(dropped) + " bytes of output were dropped while the prompt was shown]\n";
    }
    return text;
}

std::string screen::take_held() {
    const std::lock_guard lock(mutex_);
    char bytes[64];
    while (::read(wake_[0], bytes, sizeof bytes) > 0) {
    }
    std::string text = exchange_held();
    taken_.notify_all();
    return text;
}

void screen::release() {
    const std::lock_guard lock(mutex_);
    holding_ = false;
    put(exchange_held());
    taken_.notify_all();
}

}  // namespace repl
