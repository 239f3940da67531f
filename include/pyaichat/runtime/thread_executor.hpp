#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/core/time.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

struct thread_executor_options {
    std::size_t max_threads = 64;                        ///< at least 1; tasks above wait for a thread
    duration idle = std::chrono::seconds(2);             ///< a thread without work ends after this
    duration shutdown = std::chrono::milliseconds(100);  ///< how long the destructor waits for tasks
};

/// Threads that come with the work and go when there is none. Models `task_executor`; any thread may submit.
///
/// The destructor drops what has not started, trips the tokens of what runs, waits at most `shutdown` and leaves the rest to itself: a
/// thread that is left behind touches only its own task. Should the system refuse a thread and none runs, the task is dropped.
class thread_executor {
public:
    thread_executor() : thread_executor(thread_executor_options{}) {}
    explicit thread_executor(thread_executor_options options);
    thread_executor(thread_executor&&) noexcept;
    thread_executor& operator=(thread_executor&&) noexcept;
    ~thread_executor();

    void submit(task work);

    /// Threads alive now, working or idle.
    [[nodiscard]] std::size_t thread_count() const;

private:
    struct state;
    void close() noexcept;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
