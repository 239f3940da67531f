#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/result.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

struct child_options {
    std::chrono::steady_clock::time_point deadline = {};
    std::size_t memory = 0;        ///< bytes that the child may use more than its parent
    std::size_t max_document = 0;  ///< bytes
    /// Called when a signal has interrupted the wait; true: the caller no longer waits.
    std::function<bool()> on_signal = {};
};

/// How a child ended.
struct child_end {
    enum class kind : unsigned char {
        ended,      ///< by itself; `document` has all that it sent
        unsealed,   ///< it could not be sealed and ran nothing; `document` has the step that failed
        deadline,   ///< killed at its deadline
        cancelled,  ///< killed, because the caller no longer waits
        too_long,   ///< killed, because its document was too long
    };
    kind what = kind::ended;
    std::string document = {};
    std::optional<int> exit_status = {};  ///< of a child that has exited; `nullopt` if a signal ended it or its end is unknown
    std::optional<int> signal = {};       ///< that ended the child
};

/// What the two processes do.
struct child_work {
    /// Runs in the sealed child, whose only thread is the calling one. Gets the descriptor for `send_document`.
    std::function<void(int document)> in_child = {};
    std::function<void()> in_parent = {};  ///< runs in the parent after the fork, before it blocks
};

/// Forks, seals the child and runs `in_child` there; the child then ends without destructors and exit handlers. Blocks until the child has
/// ended, its deadline passes or `cancel` is stopped; kills and reaps it. Fails with `not_allowed` where children cannot be sealed, with
/// `internal` if the system cannot fork.
[[nodiscard]] result<child_end> run_sealed_child(const child_options& options, const cancel_token& cancel, const child_work& work);

/// Sends the document of a sealed child to its parent.
void send_document(int descriptor, std::string_view text) noexcept;

/// Returns why this system cannot run sealed children; null if it can.
[[nodiscard]] const char* sealed_child_obstacle() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
