#pragma once
#include "python/interrupt.hpp"
#include "python/output_capture.hpp"
#include "python/process_mark.hpp"
#include "python/python_runtime.hpp"
#include "python/work_queue.hpp"

#include <pyaichat/python/session.hpp>

#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Python, the thread that it lives on, and the queue of what that thread is to do. Shared by the handle, the sessions and the threads
/// themselves, so that a thread that has to be left behind touches only what stays alive with it.
class interpreter_thread : public std::enable_shared_from_this<interpreter_thread> {
public:
    [[nodiscard]] static result<std::shared_ptr<interpreter_thread>> start(const interpreter_options& options);

    /// Interrupts what runs, waits for the end of Python, and leaves a thread behind that does not come back. Within a second.
    void stop();

    [[nodiscard]] work_queue& queue() noexcept { return queue_; }
    [[nodiscard]] const interrupter& interrupts() const noexcept { return interrupter_; }
    [[nodiscard]] const std::string& version() const noexcept { return runtime_.version(); }
    [[nodiscard]] bool is_current() const noexcept { return thread_id_ == std::this_thread::get_id(); }

    /// Python's thread only, with the GIL held, which it is in all work.
    [[nodiscard]] const python_runtime& runtime() const noexcept { return runtime_; }
    [[nodiscard]] output_switch& output() noexcept { return output_; }
    [[nodiscard]] interrupter& interrupts() noexcept { return interrupter_; }

    /// Any thread, never blocks: raises KeyboardInterrupt in what runs. No real signal, whose handler would be the host's: a sleep goes on.
    void interrupt_running();

    /// Python's thread, after code: a child that the code has forked, and that came back, ends here as a script would. Nobody else's thread
    /// lives in it, so nothing that it was to answer or to wait for is there.
    void leave_if_forked(const outcome& ended) const;

    /// Python's thread: has `let_go` called before Python ends, for those who hold objects of Python's. `holder` is not kept alive.
    void at_end(std::weak_ptr<void> holder, task let_go);

private:
    void serve(const interpreter_options& options, std::promise<result<void>> started);
    void finish_python();

    work_queue queue_;
    interrupter interrupter_;
    output_switch output_;
    python_runtime runtime_;
    struct end_hook {
        std::weak_ptr<void> holder;
        task let_go;
    };
    std::vector<end_hook> end_hooks_;
    std::thread thread_;
    std::thread timer_;
    process_mark home_;
    std::mutex nudging_;
    std::condition_variable nudged_;
    int nudges_ = 0;  ///< threads that wait for the GIL, which makes Python look at its signals
    std::thread::id thread_id_;
    std::promise<void> ended_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
