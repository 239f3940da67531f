#pragma once
#include <pyaichat/core/task.hpp>

#include <concepts>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// Runs blocking tasks, usually on other threads. The driver calls `submit` on the pumping thread. Each task is run once, or destroyed
/// without being run; then its model call fails. Tasks do not throw. To end a running task early, for example in its destructor, an
/// executor requests a stop through `task::stop`. An executor that may drop tasks can have a member `result<void> check() const`: before
/// each task, the driver calls it on the pumping thread, and a failure is that of the model call.
template <class E>
concept task_executor = requires(E& executor, task work) {
    { executor.submit(std::move(work)) } -> std::same_as<void>;
};

/// The null executor: destroys every task without running it.
struct dropping_executor {
    void submit(task work) { static_cast<void>(work); }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
