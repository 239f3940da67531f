#include "python/interpreter/secrets.hpp"
#include "python/snapshot/seal.hpp"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// The address sanitizer reserves terabytes of address space, so a limit of it would fail at once.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_address_space = false;
#elif defined(__has_feature)
    #if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
constexpr bool limits_address_space = false;
    #else
constexpr bool limits_address_space = true;
    #endif
#else
constexpr bool limits_address_space = true;
#endif

/// A handler of the host must not run in the copy. Writing beyond a limit, or to a closed pipe, is an error and does not end the process.
void reset_signal_handlers() noexcept {
    struct sigaction action = {};
    sigemptyset(&action.sa_mask);
    for (int signal = 1; signal < NSIG; ++signal) {
        action.sa_handler = signal == SIGPIPE || signal == SIGXFSZ ? SIG_IGN : SIG_DFL;
        sigaction(signal, &action, nullptr);
    }
}

/// No controlling terminal, a process group of its own, and an end together with the thread that waits for it.
bool leave_session(long parent) noexcept {
    return setsid() >= 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent;
}

bool replace_descriptors(int document) noexcept {
    constexpr int first_descriptor = 3;  // after the standard streams
    const int null_device = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null_device < 0) {
        return false;
    }
    for (int standard = 0; standard < first_descriptor; ++standard) {
        if (dup2(null_device, standard) < 0) {
            return false;
        }
    }
    const auto kept = static_cast<unsigned>(document);
    return (kept == first_descriptor || syscall(SYS_close_range, first_descriptor, kept - 1, 0U) == 0) &&
           syscall(SYS_close_range, kept + 1, ~0U, 0U) == 0;
}

void write_text(const char* path, const char* text, std::size_t size) noexcept {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        static_cast<void>(write(file, text, size) == static_cast<ssize_t>(size));
        close(file);
    }
}

/// The capabilities of a privileged host would let the copy read the memory of other processes.
bool drop_capabilities() noexcept {
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> none = {};
    return syscall(SYS_capset, &header, none.data()) == 0;
}

/// Landlock (Linux 5.13) refuses all changes of the file system, and access to the memory and the environment of other processes. Where
/// the kernel lacks it, the syscall filter refuses the former, and the audit hook alone refuses the latter.
bool restrict_with_landlock() noexcept {
    constexpr long create_ruleset = 444;  // the same numbers on all processors; older headers lack them
    constexpr long restrict_self = 446;
    const std::uint64_t changes_of_files = 0x1FF3;  // all rights of its first version, except the two to read
    const long rules = syscall(create_ruleset, &changes_of_files, sizeof(changes_of_files), 0U);
    if (rules < 0) {
        return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM;
    }
    const bool restricted = syscall(restrict_self, static_cast<int>(rules), 0U) == 0;
    close(static_cast<int>(rules));
    return restricted;
}

/// The bytes of address space in use; 0 if unknown.
std::size_t address_space_in_use() noexcept {
    std::array<char, 128> text = {};
    const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    const ssize_t size = read(file, text.data(), text.size() - 1);
    close(file);
    return size > 0 ? std::strtoull(text.data(), nullptr, 10) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) : 0;
}

bool limit(int resource, std::size_t most) noexcept {
    struct rlimit now = {};
    // `resource` has an enumeration type of its own in C++.
    if (getrlimit(static_cast<__rlimit_resource_t>(resource), &now) != 0) {
        return false;
    }
    const rlim_t value = now.rlim_max != RLIM_INFINITY && now.rlim_max < most ? now.rlim_max : most;
    const struct rlimit limits = {value, value};
    return setrlimit(static_cast<__rlimit_resource_t>(resource), &limits) == 0;
}

bool limit_memory(std::size_t memory) noexcept {
    if (!limits_address_space) {
        return true;
    }
    const std::size_t used = address_space_in_use();
    return used > 0 && limit(RLIMIT_AS, used + memory);
}

void unblock_signals() noexcept {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

const char* seal_process(const seal_options& options) noexcept {
    reset_signal_handlers();
    unblock_signals();
    if (!leave_session(options.parent)) {
        return "setsid";
    }
    if (!replace_descriptors(options.document)) {
        return "close_range";
    }
    write_text("/proc/self/oom_score_adj", "1000", 4);  // if memory runs out, the copy ends before its host
    wipe_secrets_of_process();
    if (!detach_shared_memory()) {
        return "the mappings of shared memory";
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return "PR_SET_NO_NEW_PRIVS";
    }
    if (!drop_capabilities()) {
        return "capset";
    }
    if (!restrict_with_landlock()) {
        return "landlock";
    }
    if (!limit(RLIMIT_CORE, 0) || !limit(RLIMIT_FSIZE, 0) || !limit(RLIMIT_CPU, options.cpu_seconds) || !limit_memory(options.memory)) {
        return "setrlimit";
    }
    return install_syscall_filter() ? nullptr : "seccomp";
}

const char* sealing_obstacle() noexcept {
    if (syscall_filter_architecture() == 0) {
        return "the snapshots of this SDK support only x86-64 and ARM64 processors";
    }
    const std::uint32_t action = SECCOMP_RET_ERRNO;
    if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0U, &action) != 0) {
        return "the kernel, or the container, does not allow syscall filters (seccomp)";
    }
    if (syscall(SYS_close_range, ~0U, ~0U, 0U) != 0) {
        return "the kernel has no close_range (Linux 5.9), or the container does not allow it";
    }
    const long process = syscall(SYS_pidfd_open, getpid(), 0U);
    if (process < 0) {
        return "the kernel has no pidfd_open (Linux 5.3), or the container does not allow it";
    }
    const bool signals = syscall(SYS_pidfd_send_signal, process, 0, nullptr, 0U) == 0;
    close(static_cast<int>(process));
    return signals ? nullptr : "the container does not allow pidfd_send_signal";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
