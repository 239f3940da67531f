#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/core/task.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/python/session.hpp>

#include <chrono>
#include <cstddef>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

struct snapshot_limits {
    std::chrono::steady_clock::time_point deadline = {};
    std::size_t memory = std::size_t{512} << 20;  ///< bytes that the copy may use more than the live process
    std::size_t max_chars = 4000;                 ///< of the value's text, in code points
    std::size_t max_output = 8 * 1024;            ///< bytes of each stream
};

/// Succeeds if this system can evaluate expressions in snapshots; otherwise `not_allowed` with the reason.
[[nodiscard]] result<void> snapshot_support();
[[nodiscard]] inline bool snapshots_available() {
    return snapshot_support().has_value();
}

/// Evaluates an expression in a sealed copy of the process: it may do anything there, and the live process does not change. On Python's
/// thread with the GIL held; releases the GIL while it waits. Replies `{"value_repr","stdout","stderr","tier":2,"ran_user_code":true}`,
/// `python_exception` if the expression raises or ends the copy, `timeout` at the deadline. Runs nothing if the copy cannot be sealed.
[[nodiscard]] capability_reply evaluate_in_snapshot(session_state& session, const std::string& expression, const snapshot_limits& limits,
                                                    const cancel_token& cancel);

/// `evaluate_in_snapshot` from another thread: queues it and returns. `done` is called once, as in `session::post`.
void post_to_snapshot(const python::session& session, std::string expression, snapshot_limits limits, cancel_token cancel,
                      unique_function<void(capability_reply)> done);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
