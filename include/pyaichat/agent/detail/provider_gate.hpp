#pragma once
#include <pyaichat/agent/detail/mailbox.hpp>
#include <pyaichat/policy/async_model_provider.hpp>

#include <condition_variable>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

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

/// What a provider is given for one attempt: where its pieces are shown, and where its outcome goes.
[[nodiscard]] delta_sink sink_of(std::shared_ptr<mailbox> box, std::uint64_t attempt);
[[nodiscard]] model_reply reply_of(std::shared_ptr<mailbox> box, std::uint64_t attempt);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
