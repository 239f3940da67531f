#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/task.hpp>
#include <pyaichat/python/interpreter.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Why a piece of work was refused.
struct refusal {
    enum class kind : unsigned char { timeout, busy, cancelled, gone };
    kind what = kind::gone;
    std::string why = {};  ///< a message for the caller
};

/// One piece of work for Python's thread. Completed exactly once: by the task that `run` returns, by `refuse` or by `without_python`.
struct work {
    using clock = std::chrono::steady_clock;
    using time_point = clock::time_point;

    std::string what = {};                              ///< its source or its call in one line, for messages
    time_point deadline = time_point::max();            ///< for its completion, queueing included
    cancel_token cancel = {};                           ///< if stopped before the work has started, the work is refused
    unique_function<task()> run = {};                   ///< on the worker; the returned task delivers the result, unless refused meanwhile
    unique_function<void(const refusal&)> refuse = {};  ///< on any thread, also inside `push`; must not block
    /// On the timer thread, instead of `run`, if the work could not begin within the queue's patience. Completes the work without Python;
    /// gets the work that keeps Python, if any. May take some milliseconds.
    unique_function<void(const std::optional<running_work>&)> without_python = {};
    /// On the timer thread, once, if the work still runs `overrun_grace` after its deadline. Must not block or push.
    unique_function<void()> overran = {};

    /// Whether nobody waits for the work any more.
    [[nodiscard]] bool overdue(time_point now) const noexcept { return deadline <= now || cancel.stop_requested(); }
};

/// How long overdue work may run before `work::overran` is called.
inline constexpr std::chrono::seconds overrun_grace(2);

/// How long work with `without_python` waits for Python.
inline constexpr std::chrono::milliseconds python_patience(50);

/// The time point `span` from now, saturated.
[[nodiscard]] work::time_point deadline_in(duration span);

/// A queue for one worker thread and one timer thread. The worker may get stuck forever; the timer refuses work at its deadline, so every
/// caller gets a result in time. The owner provides both threads and keeps the queue alive while they run.
class work_queue {
public:
    struct entry {
        work item;
        work::time_point started = {};
        work::time_point patience_ends = work::time_point::max();  ///< only with `work::without_python`
        bool begun = false;
        bool answered = false;
    };

    struct options {
        duration grace = overrun_grace;
        duration patience = python_patience;
        std::function<void()> added = {};  ///< called after each piece of work that `push` has added, on its thread
        std::string not_started = "it could not be started in time";
    };

    explicit work_queue(duration grace = overrun_grace, duration patience = python_patience)
        : work_queue(options{.grace = grace, .patience = patience}) {}
    explicit work_queue(options settings) : options_(std::move(settings)) {}
    work_queue(const work_queue&) = delete;
    work_queue& operator=(const work_queue&) = delete;

    /// Adds work. Thread-safe, never blocks. Refuses it at once, on this thread: after `close`, without time left, or (`busy`) while the
    /// running work is overdue. Work with `without_python` is not refused as busy; it does not wait for work that has already run for the
    /// queue's patience.
    void push(work item);

    /// Called by the worker: waits for work and returns the next piece; null once closed.
    [[nodiscard]] std::shared_ptr<entry> take();
    /// Like `take`, without waiting. Null also while work is running.
    [[nodiscard]] std::shared_ptr<entry> try_take();
    /// Waits until work is waiting. Returns false once closed.
    [[nodiscard]] bool wait_for_work();
    /// Whether work is waiting.
    [[nodiscard]] bool has_work() const;
    /// Refuses the next waiting piece of work, if any, as `gone`.
    void refuse_next(std::string why);
    /// Called by the worker when it has the GIL: whether to run the work. False if it was completed meanwhile.
    [[nodiscard]] bool begin(const std::shared_ptr<entry>& next);
    /// Called by the worker when `done` has ended: runs `deliver`, unless the work was refused meanwhile.
    void finish(std::shared_ptr<entry> done, task deliver);

    /// Called by the timer: refuses work at its deadline and calls `work::without_python`, until `abandon`.
    void watch();

    /// The work that runs now. Thread-safe.
    [[nodiscard]] std::optional<running_work> running() const;

    /// Moves the deadline of the running work to now, so it is refused with `timeout`.
    void give_up();

    /// Refuses waiting and new work. The running work goes on.
    void close();
    /// After `close`: refuses the running work and ends the timer.
    void abandon();

private:
    using lock = std::unique_lock<std::mutex>;
    /// Starts the next piece of work that was not cancelled; null if there is none, or if work is running.
    [[nodiscard]] std::shared_ptr<entry> next(lock& guard);
    [[nodiscard]] std::string describe_running(work::time_point now) const;
    [[nodiscard]] std::optional<running_work> running(work::time_point now) const;
    [[nodiscard]] work::time_point end_of_patience(const work& item, work::time_point now) const;
    /// Removes and returns work whose patience has ended, if any. Sets `next` to the end of the next one's, if that is earlier.
    [[nodiscard]] std::shared_ptr<entry> take_impatient(work::time_point now, work::time_point& next);
    static void complete_without_python(const std::shared_ptr<entry>& item, const std::optional<running_work>& running);
    static void refuse(const std::shared_ptr<entry>& refused, const refusal& why);

    const options options_;
    mutable std::mutex mutex_;
    std::condition_variable worker_wakes_;
    std::condition_variable timer_wakes_;
    std::deque<std::shared_ptr<entry>> waiting_;
    std::shared_ptr<entry> running_;
    bool closed_ = false;
    bool timer_ends_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
