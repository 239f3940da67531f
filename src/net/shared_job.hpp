#pragma once
#include "net/loop_runner.hpp"

#include <pyaichat/core/detail/quiet_thread.hpp>
#include <pyaichat/core/result.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Runs a function that blocks on a detached thread. Its result goes to everybody who waits for it, on the thread that runs the loop.
/// The thread may outlive the loop: then nobody gets the result.
template <class T>
class shared_job final : public loop_message, public std::enable_shared_from_this<shared_job<T>> {
public:
    /// Gets the result, unless it has called `forget` before.
    class waiter {
    public:
        virtual void job_done(const result<T>& value) = 0;

    protected:
        ~waiter() = default;
    };

    /// Starts the job. Fails if the system refuses a thread.
    [[nodiscard]] static result<std::shared_ptr<shared_job>> start(std::weak_ptr<loop_runner> loop, std::function<result<T>()> work) {
        auto job = std::make_shared<shared_job>();
        result<std::thread> thread = detail::start_quiet_thread([job, loop = std::move(loop), work = std::move(work)] {
            job->value_.emplace(work());
            if (const std::shared_ptr<loop_runner> running = loop.lock()) {
                running->post(job, false);
            }
        });
        if (!thread) {
            return std::move(thread).error();
        }
        thread->detach();
        return job;
    }

    // On the thread that runs the loop:
    void wait(waiter& one) { waiters_.push_back(&one); }
    void forget(waiter& one) { std::erase(waiters_, &one); }
    [[nodiscard]] bool done() const noexcept { return done_; }

    void arrive() override {
        done_ = true;
        for (waiter* const one : std::exchange(waiters_, {})) {
            one->job_done(*value_);
        }
    }

private:
    std::optional<result<T>> value_ = {};  ///< set by the thread, before the message
    std::vector<waiter*> waiters_ = {};
    bool done_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
