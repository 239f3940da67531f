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

    /// Drops waiting and later tasks, and waits for the running task, whose time the sandbox limits. If a task calls it, it detaches the
    /// thread instead of waiting.
    void close();

    void post(task work);
    [[nodiscard]] bool is_current() const noexcept { return std::this_thread::get_id() == id_; }

private:
    struct queue;
    std::shared_ptr<queue> queue_;
    std::thread thread_;
    std::thread::id id_ = thread_.get_id();  ///< valid also after the thread was detached
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
