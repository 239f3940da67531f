#include "editor/raw_terminal.hpp"

#include <termios.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace repl {

namespace {

constexpr std::string_view marks_on = "\033[?2004h";
constexpr std::string_view all_off = "\033[?2004l\033[0m\033[?25h";  // paste marks, colours; the cursor is visible
constexpr auto ending_signals = std::to_array<int>({SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL});

// For signal handlers. `saved` does not change while `is_raw` is true.
termios saved;
pid_t owner = 0;
std::atomic<bool> is_raw = false;

static_assert(std::atomic<bool>::is_always_lock_free, "used in a signal handler");

void write_terminal(std::string_view text) {
    static_cast<void>(!::write(1, text.data(), text.size()));
}

/// Async-signal-safe. A child process that was forked while the terminal was raw must leave it to its parent.
void restore() {
    if (::getpid() == owner && is_raw.exchange(false)) {
        write_terminal(all_off);
        ::tcsetattr(0, TCSANOW, &saved);
    }
}

void restore_and_end_line() {
    if (is_raw) {
        restore();
        write_terminal("\r\n");
    }
}

void on_ending_signal(int number) {
    if (::getpid() == owner) {
        restore_and_end_line();
    }
    // The signal is blocked in its handler: the default action follows when the handler returns.
    std::signal(number, SIG_DFL);
    std::raise(number);
}

void install_stop_handler();

void on_stop(int number) {
    const int saved_errno = errno;
    restore();
    // The prompt becomes raw again by SIGCONT, which the editor gets to know from `interrupts`.
    std::signal(number, SIG_DFL);
    std::raise(number);
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, number);
    ::pthread_sigmask(SIG_UNBLOCK, &stop, nullptr);  // stops here
    ::pthread_sigmask(SIG_BLOCK, &stop, nullptr);
    install_stop_handler();
    errno = saved_errno;
}

void install_handler(int number, void (*handler)(int), int flags) {
    struct sigaction before = {};
    if (::sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) {
        return;
    }
    struct sigaction action = {};
    action.sa_handler = handler;
    action.sa_flags = flags;
    sigemptyset(&action.sa_mask);
    ::sigaction(number, &action, nullptr);
}

void install_stop_handler() {
    install_handler(SIGTSTP, on_stop, SA_RESTART);
}

}  // namespace

void raw_terminal::install_handlers() {
    owner = ::getpid();
    for (const int number : ending_signals) {
        install_handler(number, on_ending_signal, 0);
    }
    install_stop_handler();
    static_cast<void>(std::atexit(restore));
}

void raw_terminal::enter() {
    if (is_raw || ::tcgetattr(0, &saved) != 0) {
        return;
    }
    termios raw = saved;
    raw.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | IGNCR | INLCR | INPCK | ISTRIP | IXON);
    raw.c_lflag &= ~static_cast<tcflag_t>(ECHO | ECHONL | ICANON | IEXTEN | ISIG);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    is_raw = true;
    ::tcsetattr(0, TCSADRAIN, &raw);  // keeps what was typed ahead
    write_terminal(marks_on);
}

void raw_terminal::leave() {
    restore();
}

}  // namespace repl
