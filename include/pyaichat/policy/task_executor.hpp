#pragma once
#include <pyaichat/core/task.hpp>

#include <concepts>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// Runs blocking work somewhere. Called by the driver on the pumping thread. A task is run once, or destroyed unrun when the executor
/// goes away first; then the model call that it was for fails. Tasks do not throw.
/// An executor that ends tasks early, e.g. in its destructor, trips their `stop`.
template <class E>
concept task_executor = requires(E& executor, task work) {
    { executor.submit(std::move(work)) } -> std::same_as<void>;
};

/// The null model: every task is dropped.
struct dropping_executor {
    void submit(task work) { static_cast<void>(work); }
};

}  // namespace pyaichat::inline PYAICHAT_ABI
