#pragma once
#include <pyaichat/core/task.hpp>

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// One thread that runs tasks in order, until it is closed.
class worker {
public:
    worker() = default;
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;
    ~worker() { close(); }

    /// Drops waiting and later tasks, and waits for the running task, whose time the sandbox limits. If a task calls it, it detaches the
    /// thread instead of waiting.
    void close() {
        std::deque<task> dropped;
        {
            const std::lock_guard lock(queue_->mutex);
            queue_->closed = true;
            dropped.swap(queue_->tasks);
        }
        queue_->changed.notify_all();
        if (thread_.joinable()) {
            is_current() ? thread_.detach() : thread_.join();
        }
    }

    void post(task work) {
        {
            const std::lock_guard lock(queue_->mutex);
            if (queue_->closed) {
                return;
            }
            queue_->tasks.push_back(std::move(work));
        }
        queue_->changed.notify_one();
    }

    [[nodiscard]] bool is_current() const noexcept { return std::this_thread::get_id() == id_; }

private:
    /// Shared with the thread, which may outlive the worker.
    struct queue {
        std::mutex mutex;
        std::condition_variable changed;
        std::deque<task> tasks;
        bool closed = false;

        void work() {
            for (std::unique_lock lock(mutex);;) {
                changed.wait(lock, [&] { return closed || !tasks.empty(); });
                if (closed) {
                    return;
                }
                task next = std::move(tasks.front());
                tasks.pop_front();
                lock.unlock();
                next();
                next = nullptr;  // destroys what the task owns before the next task starts
                lock.lock();
            }
        }
    };

    const std::shared_ptr<queue> queue_ = std::make_shared<queue>();
    std::thread thread_{[shared = queue_] { shared->work(); }};
    const std::thread::id id_ = thread_.get_id();  ///< valid also after the thread was detached
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
