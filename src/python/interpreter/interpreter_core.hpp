#pragma once
#include "python/interpreter/output_capture.hpp"
#include "python/interpreter/process.hpp"
#include "python/interpreter/python_runtime.hpp"
#include "python/interpreter/work_queue.hpp"
#include "python/look/host_adapters.hpp"

#include <pyaichat/python/session.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The Python objects of a session.
struct session_objects {
    PyObject* module = nullptr;    ///< owned
    PyObject* compiler = nullptr;  ///< owned
    PyObject* main = nullptr;      ///< owned
    bool created_module = false;   ///< whether the session has created the module; else it is the host's
};

/// Python as sessions see it, with its work queue: an interpreter of the SDK or an adopted one. Shared by the handle, the sessions and the
/// threads, so that a thread that was left behind uses only objects that stay alive with it.
class interpreter_core : public std::enable_shared_from_this<interpreter_core> {
public:
    virtual ~interpreter_core() = default;
    interpreter_core(const interpreter_core&) = delete;
    interpreter_core& operator=(const interpreter_core&) = delete;

    [[nodiscard]] work_queue& queue() noexcept { return queue_; }

    /// Stopped when the interpreter ends, so that work which waits for something else than Python can end too. Thread-safe.
    [[nodiscard]] cancel_token stopping() const noexcept { return stopping_.get_token(); }

    /// The types that the host describes. Thread-safe.
    [[nodiscard]] host_adapters& host_types() noexcept { return host_types_; }

    /// Interrupts the running code, refuses other work and lets go of Python; stops to wait for that in time (see `interpreter`).
    virtual void stop() = 0;

    /// Whether work runs on the calling thread. Thread-safe.
    [[nodiscard]] virtual bool is_current() const noexcept = 0;

    /// `interpreter::interrupt`.
    virtual void interrupt() noexcept = 0;

    /// Raises KeyboardInterrupt in the running code. Thread-safe, never blocks. It sends no signal, so it does not wake a sleep.
    virtual void interrupt_running() = 0;

    /// `interpreter::run_pending`.
    virtual std::size_t run_pending(duration /*budget*/) { return 0; }

    /// Called by a thread that will wait for work: runs waiting work if this thread is the one for it, until `done`.
    virtual void run_here_until(const std::function<bool()>& /*done*/) {}

    // The following functions are for the thread that runs work, with the GIL held, as it is in all work.

    [[nodiscard]] const python_runtime& runtime() const noexcept { return runtime_; }
    [[nodiscard]] output_switch& output() noexcept { return *ends_.output; }
    [[nodiscard]] input_port& input() noexcept { return *ends_.input; }

    /// Accept interrupts while user code runs. `disarm` withdraws interrupts that have not been raised.
    virtual void arm() = 0;
    virtual void disarm() noexcept = 0;

    /// Called when a signal has arrived while work waits for another process. Runs the handlers in Python that are due on this thread.
    /// Returns whether one raised KeyboardInterrupt: the wait ends, and the code that called raises it again.
    [[nodiscard]] virtual bool takes_interrupt() { return false; }

    /// Prepares the process for code of the session with this module: its `__main__`, its streams. Returns false with a Python error set if
    /// it fails.
    [[nodiscard]] virtual bool activate(PyObject* module, PyObject* main) = 0;
    /// Undoes what `activate` has done.
    virtual void deactivate() noexcept = 0;

    /// Ends the process, as a script would, if it is a child that the code has forked: only this thread exists in it, so nobody could use
    /// the outcome. Call it after each run.
    void leave_if_forked(const outcome& ended) const;

    /// Calls `release` before Python ends, if `holder`, an owner of Python objects, is still alive.
    void at_end(std::weak_ptr<void> holder, task release);

    /// Releases the objects now.
    void release_now(const session_objects& objects);

    /// Releases the objects when Python is free, at the latest when it ends. Thread-safe, without the GIL. They leak if it has ended.
    void release_later(const session_objects& objects);

protected:
    explicit interpreter_core(work_queue::options options = {}) : queue_(std::move(options)) {}

    /// Releases all Python objects of the SDK.
    void release_all();

    work_queue queue_;
    cancel_source stopping_;
    host_adapters host_types_;
    stream_ends ends_;
    python_runtime runtime_;
    long own_process_ = process_id();

private:
    void release_left_objects();

    struct end_hook {
        std::weak_ptr<void> holder;
        task release;
    };
    std::vector<end_hook> end_hooks_;
    std::mutex left_mutex_;
    std::vector<session_objects> left_objects_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
