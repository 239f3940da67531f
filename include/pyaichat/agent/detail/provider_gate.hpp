#pragma once
#include <pyaichat/agent/detail/mailbox.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace pyaichat::inline v0::detail {

/// Counts the calls that are inside a provider, so that an agent with a borrowed one can close it and wait.
class provider_gate {
public:
    /// Stands for one call inside. Empty when the gate is closed.
    class pass {
    public:
        pass() = default;
        pass(const pass&) = delete;
        pass& operator=(const pass&) = delete;
        ~pass();
        [[nodiscard]] explicit operator bool() const noexcept { return gate_ != nullptr; }

    private:
        friend class provider_gate;
        explicit pass(provider_gate* gate, std::list<cancel_source>::iterator at) : gate_(gate), at_(at) {}
        provider_gate* gate_ = nullptr;
        std::list<cancel_source>::iterator at_ = {};
    };

    /// Any thread.
    [[nodiscard]] pass enter(cancel_source stop);

    /// Lets nobody in any more, trips the tokens of those inside, and waits until they have left.
    void close();

private:
    std::mutex mutex_;
    std::condition_variable left_;
    std::list<cancel_source> inside_;
    bool closed_ = false;
};

/// Owes the run the outcome of one attempt: destroyed without one, it reports that the executor dropped the work.
class attempt_reply {
public:
    attempt_reply(std::shared_ptr<mailbox> box, std::uint64_t attempt) : box_(std::move(box)), attempt_(attempt) {}
    attempt_reply(attempt_reply&&) noexcept = default;
    attempt_reply& operator=(attempt_reply&&) = delete;
    ~attempt_reply();

    void operator()(result<model_response> outcome);
    /// A sink that shows its pieces in the run.
    [[nodiscard]] delta_sink sink() const;

private:
    std::shared_ptr<mailbox> box_;
    std::uint64_t attempt_;
};

}  // namespace pyaichat::inline v0::detail
