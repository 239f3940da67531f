#pragma once
#include "python/interpreter/host_streams.hpp"
#include "python/interpreter/interpreter_core.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The host's Python. Work runs on a thread of the SDK, inside `run_pending`, or in tasks that the host runs.
///
/// A thread of the SDK or the host may touch Python only between `enter` and `exit`: so `stop` and the end of Python can wait for it, and
/// nobody requests the GIL of a Python that has ended.
class adopted_interpreter final : public interpreter_core {
public:
    [[nodiscard]] static result<std::shared_ptr<adopted_interpreter>> adopt(adopt_options options);

    /// Only for `adopt`.
    adopted_interpreter(adopt_options options, work_queue::options queue_options);
    ~adopted_interpreter() override { static_cast<void>(exit_function_.release()); }  // set only if the host never ran the last task

    void stop() override;
    [[nodiscard]] bool is_current() const noexcept override { return working_thread_.load() == std::this_thread::get_id(); }
    void interrupt() noexcept override { interrupt_running(); }
    void interrupt_running() override;
    std::size_t run_pending(duration budget) override;
    void run_here_until(const std::function<bool()>& done) override;
    void arm() override;
    void disarm() noexcept override;
    [[nodiscard]] bool takes_interrupt() override;
    [[nodiscard]] bool activate(PyObject* module, PyObject* main) override;
    void deactivate() noexcept override { streams_.restore(runtime_); }

    /// Called by Python when it ends, on its last thread, with the GIL held.
    void python_ends();

private:
    [[nodiscard]] bool runs_on_own_thread() const noexcept { return !options_.pumped && !options_.post; }
    [[nodiscard]] result<void> attach();
    [[nodiscard]] result<void> start_threads();
    void serve();

    /// Runs the next piece of work. Returns false if there is none or if Python has ended.
    bool run_one();
    /// Runs the next piece of work for a task that the host runs. Tasks on different threads do not run at once: a later one leaves its
    /// piece to the running one.
    void run_posted();
    /// Passes a task to the host, once for each piece of work.
    void post_task(void (adopted_interpreter::*body)(), bool refuses_if_dropped);

    /// Whether Python may be used until `exit`. False once it has ended.
    [[nodiscard]] bool enter();
    void exit();
    /// Waits until no other thread is between `enter` and `exit`. Returns false if `limit` passes.
    [[nodiscard]] bool wait_for_others(duration limit);

    /// Releases all Python objects, once. Does nothing while work is running.
    void let_go();
    /// `let_go` on a thread that does not hold the GIL or may hold it.
    void let_go_with_gil();
    /// Whether the GIL can be had in time. Otherwise its holder is stuck.
    [[nodiscard]] bool gil_is_free(duration limit);
    void raise_interrupt();

    const adopt_options options_;
    const std::thread::id adopting_thread_ = std::this_thread::get_id();
    std::thread thread_;
    std::thread timer_;
    std::atomic<std::thread::id> working_thread_ = {};

    std::mutex mutex_;
    std::condition_variable changed_;
    int inside_ = 0;            ///< threads between `enter` and `exit`
    bool serving_ = false;      ///< the own thread has not ended
    bool ended_ = false;        ///< Python has ended, or is about to
    bool stopped_ = false;      ///< the handle is gone
    std::size_t posted_ = 0;    ///< pieces of work whose task has begun, and which have not
    bool runs_posted_ = false;  ///< a task runs them

    // With the GIL held:
    host_streams streams_;
    ref exit_function_;
    bool attached_ = false;
    unsigned long python_thread_ = 0;  ///< Python's number of the thread that runs work
    bool armed_ = false;
    bool interrupted_ = false;  ///< an exception is set for the thread that runs work
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
