#pragma once
#include <pyaichat/core/result.hpp>

#include "process/child_process.hpp"

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::process {

/// Both ends of the standard streams of a child. All are closed in other programs, and none is 0, 1 or 2.
struct child_streams {
    struct ends {
        descriptor input = {};
        descriptor output = {};
        descriptor errors = {};  ///< none if there is a terminal
    };
    ends ours = {};  ///< do not block
    ends its = {};
};

/// Makes the streams. Fails with `internal`.
[[nodiscard]] result<child_streams> make_child_streams(const child_options& options);

struct pipe_ends {
    descriptor read = {};
    descriptor write = {};
};

/// Makes a pipe. Fails with `internal`.
[[nodiscard]] result<pipe_ends> make_pipe();

/// Lets reads and writes return at once.
void unblock(const descriptor& end) noexcept;

/// Returns the failure `internal` of a system call, with the text for `errno`.
[[nodiscard]] failure system_failure(const std::string& what);

}  // namespace pyaichat::inline PYAICHAT_ABI::process
