#pragma once
#include <pyaichat/core/task.hpp>

#include <memory>
#include <thread>

namespace pyaichat::inline v0::lua::detail {

/// One thread that runs tasks in order. The destructor drops what has not started and waits for the task that runs, which the sandbox
/// bounds; destroyed by one of its own tasks, it leaves the thread to end by itself.
class worker {
public:
    worker();
    worker(const worker&) = delete;
    worker& operator=(const worker&) = delete;
    ~worker();

    void post(task work);
    [[nodiscard]] bool is_current() const noexcept { return std::this_thread::get_id() == thread_.get_id(); }

private:
    struct queue;
    std::shared_ptr<queue> queue_;
    std::thread thread_;
};

}  // namespace pyaichat::inline v0::lua::detail
