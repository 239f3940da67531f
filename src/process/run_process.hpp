#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/time.hpp>

#include "process/child_process.hpp"

#include <chrono>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::process {

enum class output_stream : unsigned char { out, err };

/// Gets the output of a process while it runs.
class output_listener {
public:
    using time_point = std::chrono::steady_clock::time_point;

    output_listener() = default;
    output_listener(const output_listener&) = delete;
    output_listener& operator=(const output_listener&) = delete;
    virtual ~output_listener() = default;

    /// A piece as it was read, at most 64 KiB. The process waits while this runs.
    virtual void receive(output_stream stream, std::string_view bytes) = 0;
    /// Called after each piece, and at the time that it returned last.
    [[nodiscard]] virtual time_point tick(time_point now) = 0;
};

struct run_terms {
    std::string_view input = {};  ///< written to the standard input, which is closed then
    output_listener::time_point deadline = output_listener::time_point::max();
    cancel_token cancel = {};
    duration patience = std::chrono::milliseconds(200);  ///< from the signal TERM to KILL
    duration grace = std::chrono::milliseconds(100);     ///< for output that others of the group still hold back
};

struct run_ending {
    enum class cause : unsigned char { itself, deadline, cancelled };
    child_end end = {};
    cause by = cause::itself;
    /// Something outside of the group still holds an output open, such as a daemon that the process has started.
    bool left_running = false;
};

/// Waits for the end of a process and reaps it. At the deadline, or when it is cancelled, the group gets TERM, and KILL after the patience.
/// Returns at most the grace after the end of the process, whoever holds its outputs open; the rest of its group is killed then.
/// Uses the memory of one piece, whatever is printed.
[[nodiscard]] run_ending run_to_end(child_process& child, const run_terms& terms, output_listener& listener);

}  // namespace pyaichat::inline PYAICHAT_ABI::process
