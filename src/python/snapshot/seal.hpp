#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

struct seal_options {
    /// The only descriptor that stays open, at least 3. It keeps its number: no file of the live process has this number, so code that
    /// still uses a closed file does not write to the document. 0, 1 and 2 become the null device.
    int document = -1;
    long parent = 0;         ///< the process that must still exist
    std::size_t memory = 0;  ///< bytes that the process may use more than now
    std::size_t cpu_seconds = 1;
};

/// Seals this process, a forked child with one thread: from now on it can change nothing outside of its own memory, and it ends with its
/// parent. Takes no lock, allocates nothing. Returns null, or the name of the step that failed: then the process must end.
[[nodiscard]] const char* seal_process(const seal_options& options) noexcept;

/// Returns null if this system can seal a process, otherwise what it lacks.
[[nodiscard]] const char* sealing_obstacle() noexcept;

/// Steps of `seal_process`. They return whether they succeeded.
[[nodiscard]] bool install_syscall_filter() noexcept;
[[nodiscard]] bool detach_shared_memory() noexcept;
/// The kernel's architecture number for the syscall filter; 0 if there is no filter for this processor.
[[nodiscard]] unsigned syscall_filter_architecture() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
