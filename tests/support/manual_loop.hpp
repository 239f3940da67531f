#pragma once
/// An event loop without a transport: tests post its work, and what has no waiting thread stays until a test calls `drain`.
#include <pyaichat/core/task.hpp>
#include <pyaichat/policy/async_model_provider.hpp>
#include <pyaichat/policy/event_loop.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace bench {

class manual_loop final : public pyaichat::event_loop {
public:
    bool claim() override {
        const std::lock_guard lock(mutex_);
        if (refuses || owner_ != std::thread::id()) {
            return false;
        }
        owner_ = std::this_thread::get_id();
        ++claims;
        return true;
    }
    bool run(pyaichat::duration span) override {
        std::unique_lock lock(mutex_);
        if (std::exchange(lost_, false)) {
            owner_ = {};
            return false;
        }
        running = true;
        while (!woken_ && arrival_.wait_for(lock, pyaichat::bounded_wait(span), [&] { return woken_ || !work_.empty(); })) {
            run_one(lock);
        }
        woken_ = false;
        running = false;
        return true;
    }
    void wake() noexcept override {
        const std::lock_guard lock(mutex_);
        woken_ = true;
        ++wakes;
        arrival_.notify_all();
    }
    void release() noexcept override {
        const std::lock_guard lock(mutex_);
        owner_ = {};
        ++releases;
    }

    /// Adds work for the thread that runs the loop.
    void post(pyaichat::task work) {
        const std::lock_guard lock(mutex_);
        work_.push_back(std::move(work));
        arrival_.notify_all();
    }
    /// Ends the claim as a transport does whose own thread takes over.
    void lose() {
        const std::lock_guard lock(mutex_);
        lost_ = true;
    }
    /// Does the next work on the calling thread. Returns false if there is none, or another thread has the loop.
    bool drain_one() {
        std::unique_lock lock(mutex_);
        return owner_ == std::thread::id() && run_one(lock);
    }

    std::atomic<bool> refuses = false;
    std::atomic<bool> running = false;
    std::atomic<int> claims = 0;
    std::atomic<int> releases = 0;
    std::atomic<int> wakes = 0;

private:
    bool run_one(std::unique_lock<std::mutex>& lock) {
        if (work_.empty()) {
            return false;
        }
        pyaichat::task work = std::move(work_.front());
        work_.pop_front();
        lock.unlock();
        work();
        lock.lock();
        return true;
    }

    std::mutex mutex_;
    std::condition_variable arrival_;
    std::deque<pyaichat::task> work_;
    std::thread::id owner_;
    bool woken_ = false;
    bool lost_ = false;
};

/// A thread that works for a loop until it is destroyed, as the own thread of a transport does.
class loop_thread {
public:
    explicit loop_thread(std::shared_ptr<manual_loop> loop)
        : thread_([this, loop = std::move(loop)] {
              while (!stop_) {
                  if (!loop->drain_one()) {
                      std::this_thread::yield();
                  }
              }
          }) {}
    loop_thread(const loop_thread&) = delete;
    loop_thread& operator=(const loop_thread&) = delete;
    ~loop_thread() {
        stop_ = true;
        thread_.join();
    }

private:
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

/// An asynchronous provider that follows a script in a loop. With an empty script it never replies, except to a cancellation.
struct looped_provider {
    void start(const pyaichat::model_request& request, const pyaichat::delta_sink& sink, const pyaichat::cancel_token& cancel,
               pyaichat::model_reply reply) {
        loop_->post(pyaichat::task([script = script, request, sink, cancel, reply = std::move(reply)]() mutable {
            reply(script->complete(request, sink, cancel));
        }));
    }
    [[nodiscard]] std::shared_ptr<pyaichat::event_loop> loop() const { return loop_; }

    std::shared_ptr<manual_loop> loop_;
    std::shared_ptr<pyaichat::testing::scripted_provider> script;
};

}  // namespace bench
