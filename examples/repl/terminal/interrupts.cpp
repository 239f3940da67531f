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
std::atomic<bool> deferred = false;
pthread_t main_thread;
int pipe_ends[2] = {-1, -1};

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<void*>::is_always_lock_free, "used in a signal handler");

void wake() {
    const char byte = 0;
    static_cast<void>(!::write(pipe_ends[1], &byte, 1));  // a full pipe is readable too
}

void on_signal(int number, siginfo_t* info, void*) {
    const int saved_errno = errno;
    if (number == SIGWINCH || number == SIGCONT) {
        (number == SIGWINCH ? resized : continued) = true;
        wake();
    } else if (pthread_equal(pthread_self(), main_thread) != 0) {
        pressed = true;
        wake();
        if (const auto* python = target.load(); python != nullptr && !deferred) {
            python->interrupt();
        }
    } else if (info->si_code != SI_TKILL) {
        pthread_kill(main_thread, number);  // the kernel may deliver Ctrl-C to any thread
    } else if (const auto* python = target.load()) {
        python->interrupt();  // this is Python's thread; the main thread's `interrupt` has sent the signal here
    }
    errno = saved_errno;
}

void install_handler(int number, int flags) {
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
        install_handler(SIGINT, 0);
        install_handler(SIGWINCH, SA_RESTART);
        install_handler(SIGCONT, SA_RESTART);
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

defer_python::defer_python() noexcept {
    deferred = true;
}

defer_python::~defer_python() {
    deferred = false;
}

}  // namespace repl::interrupts
