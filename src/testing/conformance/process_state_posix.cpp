#include "testing/conformance/process_state.hpp"

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <filesystem>
#include <system_error>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr int last_signal = 31;  // the real-time signals above belong to the implementation and to profilers
std::atomic<int> pipe_signals = 0;

void count_pipe_signal(int) {
    pipe_signals.fetch_add(1, std::memory_order_relaxed);
}

long entries_of(const char* folder, std::error_code& error) {
    long count = 0;
    for (std::filesystem::directory_iterator entry(folder, error); !error && entry != std::filesystem::directory_iterator();
         entry.increment(error)) {
        ++count;
    }
    return count;
}

}  // namespace

std::optional<process_holdings> count_holdings() {
    std::error_code error;
    const process_holdings found = {entries_of("/proc/self/task", error), error ? 0 : entries_of("/proc/self/fd", error)};
    return error ? std::nullopt : std::optional(found);
}

signal_mask signal_mask::of_this_thread() {
    sigset_t set;
    sigemptyset(&set);
    pthread_sigmask(SIG_SETMASK, nullptr, &set);
    signal_mask mask;
    for (int number = 1; number < signals; ++number) {
        mask.blocked_[static_cast<std::size_t>(number)] = sigismember(&set, number) == 1;
    }
    return mask;
}

struct pipe_signal_counter::dispositions {
    std::array<struct sigaction, last_signal + 1> actions = {};
};

pipe_signal_counter::pipe_signal_counter() : before_(std::make_unique<dispositions>()) {
    for (int number = 1; number <= last_signal; ++number) {
        sigaction(number, nullptr, &before_->actions[static_cast<std::size_t>(number)]);
    }
    pipe_signals = 0;
    struct sigaction counting = {};
    counting.sa_handler = &count_pipe_signal;
    sigemptyset(&counting.sa_mask);
    sigaction(SIGPIPE, &counting, nullptr);
}

pipe_signal_counter::~pipe_signal_counter() {
    sigaction(SIGPIPE, &before_->actions[SIGPIPE], nullptr);
}

int pipe_signal_counter::count() const noexcept {
    return pipe_signals.load(std::memory_order_relaxed);
}

bool pipe_signal_counter::undisturbed() const {
    for (int number = 1; number <= last_signal; ++number) {
        struct sigaction now = {};
        sigaction(number, nullptr, &now);
        const auto expected = number == SIGPIPE ? &count_pipe_signal : before_->actions[static_cast<std::size_t>(number)].sa_handler;
        if (now.sa_handler != expected) {
            return false;
        }
    }
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
