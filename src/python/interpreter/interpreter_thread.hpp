#pragma once
#include "python/interpreter/output_capture.hpp"
#include "python/interpreter/process.hpp"
#include "python/interpreter/python_runtime.hpp"
#include "python/interpreter/work_queue.hpp"
#include "python/look/host_adapters.hpp"

#include <pyaichat/python/session.hpp>

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Python, its thread and its work queue. Shared by the handle, the sessions and the threads, so that a detached thread uses only objects
/// that stay alive with it.
class interpreter_thread : public std::enable_shared_from_this<interpreter_thread> {
public:
    [[nodiscard]] static result<std::shared_ptr<interpreter_thread>> start(const interpreter_options& options);

    /// Interrupts the running code, waits for Python to end, and detaches its thread if that takes too long (see `interpreter`).
    void stop();

    [[nodiscard]] work_queue& queue() noexcept { return queue_; }
    /// Stopped when the interpreter ends, so that work which waits for something else than Python can end too. Thread-safe.
    [[nodiscard]] cancel_token stopping() const noexcept { return stopping_.get_token(); }
    [[nodiscard]] bool is_current() const noexcept { return thread_id_ == std::this_thread::get_id(); }

    /// Only `interrupt` may be called on other threads.
    [[nodiscard]] interrupter& interrupts() noexcept { return interrupter_; }

    /// The types that the host describes. Thread-safe.
    [[nodiscard]] host_adapters& host_types() noexcept { return host_types_; }

    // For Python's thread only, with the GIL held, as it is in all work.
    [[nodiscard]] const python_runtime& runtime() const noexcept { return runtime_; }
    [[nodiscard]] output_switch& output() noexcept { return output_; }

    /// Raises KeyboardInterrupt in the running code. Thread-safe, never blocks. It sends no signal, which would run the host's handler, so
    /// it does not wake a sleep.
    void interrupt_running();

    /// Ends the process, as a script would, if it is a child that the code has forked: Python's thread is the only thread in it, so nobody
    /// could use the outcome. For Python's thread, after each run.
    void leave_if_forked(const outcome& ended) const;

    /// Calls `release` before Python ends, if `holder`, an owner of Python objects, is still alive. For Python's thread.
    void at_end(std::weak_ptr<void> holder, task release);

private:
    void serve(const interpreter_options& options, std::promise<result<void>> started);

    work_queue queue_;
    cancel_source stopping_;
    interrupter interrupter_;
    output_switch output_;
    python_runtime runtime_;
    host_adapters host_types_;
    struct end_hook {
        std::weak_ptr<void> holder;
        task release;
    };
    std::vector<end_hook> end_hooks_;
    std::thread thread_;
    std::thread timer_;
    const long own_process_ = process_id();
    std::mutex nudge_mutex_;
    std::condition_variable nudge_ended_;
    int nudges_ = 0;  ///< threads that request the GIL, which makes Python check its signals
    std::thread::id thread_id_;
    std::promise<void> ended_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
