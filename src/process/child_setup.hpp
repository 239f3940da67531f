#pragma once
/// What happens in a child process between its start and its program. For the POSIX files of this room only.
#include <pyaichat/config/config.hpp>

#include <sys/resource.h>

#include <array>
#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::process {

/// Prepared by the parent: the child shares its memory, so it must not allocate. All descriptors are above 2.
struct child_plan {
    const char* const* programs = nullptr;  ///< the paths to try
    char* const* arguments = nullptr;
    char* const* environment = nullptr;
    int folder = -1;
    int input = -1;
    int output = -1;
    int errors = -1;
    int report = -1;  ///< closed by the start of the program; otherwise gets `errno`
    bool terminal = false;
    struct limit {
        int resource = 0;
        rlimit value = {};
    };
    std::array<limit, 5> limits = {};
    std::size_t limit_count = 0;
    int nice = 0;
};

/// Runs the program in a process that `vfork` has made. Makes system calls only.
[[noreturn]] void become_program(const child_plan& plan) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::process
