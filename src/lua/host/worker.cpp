#include "lua/host/worker.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

struct worker::queue {
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

worker::worker() : queue_(std::make_shared<queue>()), thread_([shared = queue_] { shared->work(); }) {}

void worker::close() {
    std::deque<task> dropped;
    {
        const std::lock_guard lock(queue_->mutex);
        queue_->closed = true;
        dropped.swap(queue_->tasks);
    }
    queue_->changed.notify_all();
    if (!thread_.joinable()) {
        return;
    }
    if (is_current()) {
        thread_.detach();
    } else {
        thread_.join();
    }
}

void worker::post(task work) {
    {
        const std::lock_guard lock(queue_->mutex);
        if (queue_->closed) {
            return;
        }
        queue_->tasks.push_back(std::move(work));
    }
    queue_->changed.notify_one();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
