#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/task.hpp>
#include <pyaichat/python/interpreter.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Why a piece of work has no answer of its own.
struct refusal {
    enum class kind : unsigned char { timeout, busy, cancelled, gone };
    kind what = kind::gone;
    std::string why = {};  ///< a sentence for whoever asked
};

/// One piece of work for Python's thread. Answered exactly once: by what `run` returns, or through `refuse`.
struct work {
    using time_point = std::chrono::steady_clock::time_point;

    std::string what = {};                    ///< for "busy with"
    time_point deadline = time_point::max();  ///< of the answer, queueing included
    cancel_token cancel = {};                 ///< tripped: not worth starting any more
    unique_function<task()> run = {};         ///< on the worker; the task that it returns delivers the answer, unless refused meanwhile
    unique_function<void(const refusal&)> refuse = {};  ///< on any thread, `push` included; must not block
    unique_function<void()> overran =
        {};  ///< on the timer, once, when it still runs `overrun_grace` past its deadline; must not block, nor push

    /// Nobody waits for it any more.
    [[nodiscard]] bool overdue(time_point now) const noexcept { return deadline <= now || cancel.stop_requested(); }
};

/// How long work that is past its deadline goes on before it is told.
inline constexpr std::chrono::seconds overrun_grace(2);

/// The point in time `span` from now, saturated.
[[nodiscard]] work::time_point deadline_in(duration span);

/// Work in order, for one worker that may get stuck in a piece for ever, and a timer that answers what is due, so that everyone who asked
/// is answered at his deadline whatever the worker does. The owner brings both threads, and keeps the queue alive while they run. Knows
/// nothing of Python.
class work_queue {
public:
    struct entry {
        work item;
        work::time_point started = {};
        bool answered = false;
    };

    explicit work_queue(duration grace = overrun_grace) : grace_(grace) {}
    work_queue(const work_queue&) = delete;
    work_queue& operator=(const work_queue&) = delete;

    /// Any thread; never blocks. Refuses at once, on this thread, after `close`, and with `busy` while what runs is past its deadline.
    void push(work item);

    /// The worker: the next piece, blocking until there is one; null once closed.
    [[nodiscard]] std::shared_ptr<entry> take();
    /// The worker: `done` ended; delivers its answer unless it was refused meanwhile.
    void finish(std::shared_ptr<entry> done, task deliver);

    /// The timer: refuses what is due until `abandon`.
    void watch();

    /// What runs now. Any thread.
    [[nodiscard]] std::optional<running_work> running() const;

    /// The deadline of what runs is now: whoever waits for it is answered `timeout`.
    void give_up();

    /// Nothing more is taken on, and what waits is refused. What runs goes on.
    void close();
    /// After `close`: answers in place of what still runs, and lets the timer return.
    void abandon();

private:
    using lock = std::unique_lock<std::mutex>;
    [[nodiscard]] std::string describe_running(work::time_point now) const;
    static void refuse(const std::shared_ptr<entry>& refused, const refusal& why);

    const duration grace_;
    mutable std::mutex mutex_;
    std::condition_variable worker_wakes_;
    std::condition_variable timer_wakes_;
    std::deque<std::shared_ptr<entry>> waiting_;
    std::shared_ptr<entry> running_;
    bool closed_ = false;
    bool timer_ends_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
