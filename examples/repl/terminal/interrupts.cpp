#include "terminal/interrupts.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

namespace repl::interrupts {

namespace {

std::atomic<bool> pressed = false;
std::atomic<bool> resized = false;
std::atomic<bool> continued = false;
std::atomic<const pyaichat::python::interpreter*> target = nullptr;
std::atomic<bool> held_back = false;
pthread_t main_thread;
int pipe_ends[2] = {-1, -1};

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<void*>::is_always_lock_free, "used in a signal handler");

void wake() {
    const char byte = 0;
    static_cast<void>(!::write(pipe_ends[1], &byte, 1));  // a full pipe is as good as one byte
}

void on_signal(int number, siginfo_t* about, void*) {
    const int kept = errno;
    if (number == SIGWINCH || number == SIGCONT) {
        (number == SIGWINCH ? resized : continued) = true;
        wake();
    } else if (pthread_equal(pthread_self(), main_thread) != 0) {
        pressed = true;
        wake();
        if (const auto* python = target.load(); python != nullptr && !held_back) {
            python->interrupt();
        }
    } else if (about->si_code != SI_TKILL) {
        pthread_kill(main_thread, number);  // the kernel may choose any thread for a Ctrl-C
    } else if (const auto* python = target.load()) {
        python->interrupt();  // on Python's own thread now, where the main thread's call has sent it
    }
    errno = kept;
}

void install_one(int number, int flags) {
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | flags;
    sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
}

}  // namespace

void install() {
    main_thread = pthread_self();
    if (::pipe2(pipe_ends, O_CLOEXEC | O_NONBLOCK) == 0) {
        install_one(SIGINT, 0);
        install_one(SIGWINCH, SA_RESTART);
        install_one(SIGCONT, SA_RESTART);
    }
}

bool take() noexcept {
    char bytes[64];
    while (::read(pipe_ends[0], bytes, sizeof bytes) > 0) {
    }
    return pressed.exchange(false);
}

bool take_resize() noexcept {
    return resized.exchange(false);
}

bool take_continue() noexcept {
    return continued.exchange(false);
}

int wake_descriptor() noexcept {
    return pipe_ends[0];
}

python_target::python_target(const pyaichat::python::interpreter& python) noexcept {
    target = &python;
}

python_target::~python_target() {
    target = nullptr;
}

hold_back::hold_back() noexcept {
    held_back = true;
}

hold_back::~hold_back() {
    held_back = false;
}

}  // namespace repl::interrupts
