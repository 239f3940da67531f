#include "process/child_setup.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace pyaichat::inline PYAICHAT_ABI::process {

namespace {

constexpr int report_place = 3;

void reset_signals() noexcept {
    struct sigaction action = {};
    action.sa_handler = SIG_DFL;
    sigemptyset(&action.sa_mask);
    for (int number = 1; number < NSIG; ++number) {
        ::sigaction(number, &action, nullptr);
    }
    // A handler of the host must not run in this process, so its signals are let through only now.
    ::sigprocmask(SIG_SETMASK, &action.sa_mask, nullptr);
}

/// Closes all descriptors from `first`.
void close_from(int first) noexcept {
#ifdef SYS_close_range
    if (::syscall(SYS_close_range, static_cast<unsigned>(first), ~0U, 0U) == 0) {
        return;
    }
#endif
    rlimit open_files = {};
    ::getrlimit(RLIMIT_NOFILE, &open_files);
    const int end = open_files.rlim_cur > 65536 ? 65536 : static_cast<int>(open_files.rlim_cur);
    for (int each = first; each < end; ++each) {
        ::close(each);
    }
}

/// Returns whether everything is as the program needs it; otherwise sets `errno`. Moves the report pipe, and says where it is.
bool prepare(const child_plan& plan, int& report) noexcept {
    if (::setsid() < 0 || (plan.terminal && ::ioctl(plan.output, TIOCSCTTY, 0) != 0) || (plan.folder >= 0 && ::fchdir(plan.folder) != 0)) {
        return false;
    }
    if (::dup2(plan.input, 0) < 0 || ::dup2(plan.output, 1) < 0 || ::dup2(plan.errors, 2) < 0) {
        return false;
    }
    if (plan.report != report_place && (::dup2(plan.report, report_place) < 0 || ::fcntl(report_place, F_SETFD, FD_CLOEXEC) != 0)) {
        return false;
    }
    report = report_place;
    close_from(report_place + 1);
    for (std::size_t i = 0; i < plan.limit_count; ++i) {
        // NOLINTNEXTLINE(bugprone-narrowing-conversions): glibc has an enumeration of its own for C++
        if (::setrlimit(static_cast<decltype(RLIMIT_CPU)>(plan.limits[i].resource), &plan.limits[i].value) != 0) {
            return false;
        }
    }
    if (plan.nice != 0) {
        ::setpriority(PRIO_PROCESS, 0, ::getpriority(PRIO_PROCESS, 0) + plan.nice);
    }
    reset_signals();
    return true;
}

}  // namespace

void become_program(const child_plan& plan) noexcept {
    int report = plan.report;
    int error = ENOENT;
    if (!prepare(plan, report)) {
        error = errno;
    } else {
        for (const char* const* program = plan.programs; *program != nullptr; ++program) {
            ::execve(*program, plan.arguments, plan.environment);
            if (errno != ENOENT && errno != ENOTDIR) {
                error = errno;  // a program that may not run tells more than one that is not there
            }
        }
    }
    static_cast<void>(!::write(report, &error, sizeof error));
    ::_exit(127);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
