#pragma once
#include <pyaichat/core/task.hpp>

#include <memory>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// One thread that runs tasks in order, until it is closed.
class worker {
public:
    worker();
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;
    ~worker() { close(); }

    /// Drops what has not started, and what is posted from now on, and waits for the task that runs, which the sandbox bounds. Called by
    /// one of its own tasks, it leaves the thread to end by itself.
    void close();

    void post(task work);
    [[nodiscard]] bool is_current() const noexcept { return std::this_thread::get_id() == id_; }

private:
    struct queue;
    std::shared_ptr<queue> queue_;
    std::thread thread_;
    std::thread::id id_ = thread_.get_id();  ///< also when it was left to itself
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
