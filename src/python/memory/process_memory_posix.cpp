#include "python/memory/process_memory.hpp"

#if defined(__linux__)
    #include <sys/uio.h>
    #include <unistd.h>

    #include <ctime>
#endif

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

#if defined(__linux__)

bool process_memory::read(address from, std::span<std::byte> into) {
    iovec local = {.iov_base = into.data(), .iov_len = into.size()};
    iovec remote = {.iov_base = reinterpret_cast<void*>(from), .iov_len = into.size()};
    const ssize_t copied = ::process_vm_readv(static_cast<pid_t>(process_), &local, 1, &remote, 1, 0);
    return copied >= 0 && static_cast<std::size_t>(copied) == into.size();
}

result<void> process_memory::check(address mapped) {
    std::array<std::byte, 1> byte = {};
    errno = 0;
    if (read(mapped, byte)) {
        return {};
    }
    const int error = errno;
    const std::string name = process_ == ::getpid() ? "this process" : "process " + std::to_string(process_);
    if (error == ESRCH) {
        return failure{.code = errc::not_found, .message = name + " does not exist", .hint = "Check the process id."};
    }
    if (error == EPERM) {
        return failure{.code = errc::not_allowed,
                       .message = "the system does not allow reading the memory of " + name,
                       .hint =
                           "Run as the same user or as root, with ptrace permitted: /proc/sys/kernel/yama/ptrace_scope 0, or the "
                           "capability CAP_SYS_PTRACE; in a container, a seccomp profile that allows process_vm_readv."};
    }
    return failure{.code = errc::not_allowed,
                   .message = "the memory of " + name + " cannot be read: " + std::strerror(error),
                   .hint = "The system call process_vm_readv must be available."};
}

std::chrono::nanoseconds used_thread_time() {
    timespec used = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

process_memory own_memory() {
    return process_memory(::getpid());
}

#else

bool process_memory::read(address, std::span<std::byte>) {
    return false;
}

result<void> process_memory::check(address) {
    return failure{.code = errc::not_allowed,
                   .message = "this system has no safe way to read the memory of a process",
                   .hint = "Reading Python's memory works on Linux only."};
}

std::chrono::nanoseconds used_thread_time() {
    return std::chrono::steady_clock::now().time_since_epoch();
}

process_memory own_memory() {
    return process_memory(0);
}

#endif

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
