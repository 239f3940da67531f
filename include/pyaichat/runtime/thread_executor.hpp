#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/core/task.hpp>
#include <pyaichat/core/time.hpp>

#include <chrono>
#include <cstddef>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI {

struct thread_executor_options {
    std::size_t max_threads = 64;                        ///< at least 1; further tasks wait in a queue
    duration idle = std::chrono::seconds(2);             ///< a thread ends after this time without work
    duration shutdown = std::chrono::milliseconds(100);  ///< how long the destructor waits for running tasks
};

/// A thread pool that starts threads on demand and ends idle ones. Satisfies `task_executor`. Thread-safe.
///
/// Copies share the threads. By default each agent has an executor of its own, with up to 64 threads. To share one, give a copy to each:
/// `ai::agent first{provider, {...}, {...}, {}, threads}; ai::agent second{provider, {...}, {...}, {}, threads};`
///
/// The destructor of the last copy drops queued tasks, cancels running ones and waits at most `shutdown` for them. A thread that still runs
/// then is detached and touches only its own task. If the system refuses the first thread, the task is dropped.
///
/// A child process has no threads after a `fork`. If the executor has run a task before, it drops all tasks in the child, and model calls
/// fail at once. Its destructor does not wait there. Make a new agent in the child.
class thread_executor {
public:
    thread_executor() : thread_executor(thread_executor_options{}) {}
    explicit thread_executor(thread_executor_options options);

    /// Queues the task. The destructor requests a stop through `task::stop` while the task runs.
    void submit(task work);

    /// Fails with `invalid_state` in a child process that was forked after the first task.
    [[nodiscard]] result<void> check() const;

    /// Returns the number of threads, working or idle.
    [[nodiscard]] std::size_t thread_count() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
