#pragma once
#include <pyaichat/core/failure.hpp>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Something that any thread gives to a loop.
class loop_message {
public:
    loop_message() = default;
    loop_message(const loop_message&) = delete;
    loop_message& operator=(const loop_message&) = delete;
    virtual ~loop_message() = default;

    /// Called on the thread that runs the loop.
    virtual void arrive() = 0;
};

/// A message that begins work, which the loop runs until it reports the end to `loop_runner::ended`.
class loop_work : public loop_message {
public:
    /// Called instead of `arrive`, on the thread that started the work, if the system refuses a thread for the loop.
    virtual void refuse(failure why) = 0;

private:
    friend class loop_runner;
    bool of_claimer_ = false;  ///< started by the thread that had the claim; guarded by the mutex of the runner
};

/// What a loop runs.
class loop_client {
public:
    loop_client() = default;
    loop_client(const loop_client&) = delete;
    loop_client& operator=(const loop_client&) = delete;
    virtual ~loop_client() = default;

    /// Called after messages and after each turn: reports results to the host. No lock is held. Leaves the rest when `reactor::over`.
    virtual void settle() = 0;
    /// Returns whether `settle` has left nothing.
    [[nodiscard]] virtual bool settled() const noexcept = 0;
    /// Ends all work, now and whatever begins later, and reports it.
    virtual void end_all() = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
