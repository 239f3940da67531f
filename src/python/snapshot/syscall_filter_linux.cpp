#include "python/snapshot/filter_builder_linux.hpp"
#include "python/snapshot/seal.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// The system calls that need no look at their arguments: they change only the process itself. Writing is among them, because no
/// descriptor leads out of the process except the one for its document.
constexpr std::array harmless_calls = {
    // memory and threads
    SYS_brk,
    SYS_munmap,
    SYS_mprotect,
    SYS_mremap,
    SYS_futex,
    SYS_set_robust_list,
    SYS_get_robust_list,
    SYS_set_tid_address,
    SYS_gettid,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_max,
    SYS_sched_get_priority_min,
    SYS_getcpu,
    SYS_exit,
    SYS_exit_group,
    SYS_restart_syscall,
    SYS_membarrier,
    SYS_rseq,
    // descriptors
    SYS_read,
    SYS_readv,
    SYS_pread64,
    SYS_preadv,
    SYS_write,
    SYS_writev,
    SYS_pwrite64,
    SYS_close,
    SYS_close_range,
    SYS_lseek,
    SYS_dup,
    SYS_dup3,
    SYS_pipe2,
    SYS_eventfd2,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_ppoll,
    SYS_pselect6,
    SYS_fadvise64,
    // reading the file system
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_chdir,
    SYS_fchdir,
    SYS_umask,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_fgetxattr,
    SYS_listxattr,
    SYS_llistxattr,
    SYS_flistxattr,
    // time, signals, identity
    SYS_nanosleep,
    SYS_clock_nanosleep,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_gettimeofday,
    SYS_times,
    SYS_getitimer,
    SYS_setitimer,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigtimedwait,
    SYS_rt_sigsuspend,
    SYS_sigaltstack,
    SYS_getpid,
    SYS_getppid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getgroups,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getpgid,
    SYS_getsid,
    SYS_getpriority,
    SYS_getrusage,
    SYS_uname,
    SYS_sysinfo,
    SYS_getrandom,
// Calls that newer processors do without
#if defined(SYS_open)
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_pipe,
    SYS_dup2,
    SYS_poll,
    SYS_select,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_time,
    SYS_arch_prctl,
    SYS_getpgrp,
    SYS_alarm,
    SYS_getdents,
    SYS_pause,
    SYS_eventfd,
    SYS_getrlimit,
#endif
};

constexpr std::uint32_t bits_of(unsigned long value) {
    return static_cast<std::uint32_t>(value);
}

/// Opening never writes and never creates. It starts at the current folder or at the root: the audit hook judges these paths only.
void add_open(filter_builder& filter) noexcept {
#if defined(O_TMPFILE)
    constexpr std::uint32_t changing = bits_of((O_ACCMODE | O_CREAT | O_TRUNC | O_TMPFILE) & ~O_DIRECTORY);
#else
    constexpr std::uint32_t changing = bits_of(O_ACCMODE | O_CREAT | O_TRUNC);
#endif
    filter.examine(SYS_openat);
    filter.load(0);
    filter.refuse_unless_equal(static_cast<std::uint32_t>(AT_FDCWD));
    filter.load(2);
    filter.allow_unless_any(changing);
    filter.otherwise_refuse();
#if defined(SYS_open)
    filter.examine(SYS_open);
    filter.load(1);
    filter.allow_unless_any(changing);
    filter.otherwise_refuse();
#endif
    filter.answer(SYS_openat2, refuse_with(ENOSYS));  // its flags are in memory, which a filter cannot read
}

void add_memory(filter_builder& filter) noexcept {
    filter.examine(SYS_mmap);
    filter.load(3);
    filter.allow_unless_any(MAP_SHARED);  // a bit of MAP_SHARED_VALIDATE too
    filter.load(2);
    filter.allow_unless_any(PROT_WRITE);
    filter.otherwise_refuse();

    filter.examine(SYS_madvise);  // MADV_REMOVE would punch a hole in a shared file
    filter.load(2);
    for (const int advice :
         {MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE}) {
        filter.allow_if_equal(static_cast<std::uint32_t>(advice));
    }
    filter.otherwise_refuse();
}

void add_process(filter_builder& filter) noexcept {
    filter.examine(SYS_clone);  // threads, but no processes
    filter.load(0);
    filter.allow_if_any(CLONE_THREAD);
    filter.otherwise_refuse();
    filter.answer(SYS_clone3, refuse_with(ENOSYS));  // the C library falls back to `clone`

    for (const long call : {SYS_kill, SYS_tgkill}) {
        filter.examine(call);
        filter.load(0);
        filter.allow_if_equal(static_cast<std::uint32_t>(getpid()));
        filter.otherwise_refuse();
    }

    filter.examine(SYS_prlimit64);  // only reading: the pointer to the new limit is null
    filter.load(2);
    filter.refuse_unless_equal(0);
    filter.load_upper(2);
    filter.allow_if_equal(0);
    filter.otherwise_refuse();

    constexpr std::uint32_t name_mapping = 0x53564d41;  // PR_SET_VMA, which some headers lack
    filter.examine(SYS_prctl);
    filter.load(0);
    for (const std::uint32_t option : {bits_of(PR_SET_NAME), bits_of(PR_GET_NAME), name_mapping}) {
        filter.allow_if_equal(option);
    }
    filter.otherwise_refuse();
}

void add_descriptors(filter_builder& filter) noexcept {
    filter.examine(SYS_ioctl);
    filter.load(1);
    for (const unsigned long request : {TCGETS, FIOCLEX, FIONCLEX}) {
        filter.allow_if_equal(bits_of(request));
    }
    filter.otherwise_refuse();

    filter.examine(SYS_fcntl);
    filter.load(1);
    for (const int command : {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL}) {
        filter.allow_if_equal(static_cast<std::uint32_t>(command));
    }
    filter.otherwise_refuse();
}

}  // namespace

unsigned syscall_filter_architecture() noexcept {
#if defined(__x86_64__)
    return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
    return AUDIT_ARCH_AARCH64;
#else
    return 0;
#endif
}

bool install_syscall_filter() noexcept {
    filter_builder filter;
    filter.begin(syscall_filter_architecture());
    for (const long call : harmless_calls) {
        filter.allow(call);
    }
    add_open(filter);
    add_memory(filter);
    add_process(filter);
    add_descriptors(filter);
    const sock_fprog program = filter.finish();
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0U, &program) == 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
