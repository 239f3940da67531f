#pragma once
#include "net/reactor.hpp"

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Ends the wait of a loop from another thread.
class wake_signal final : public poll_target {
public:
    explicit wake_signal(reactor& loop);
    wake_signal(const wake_signal&) = delete;
    wake_signal& operator=(const wake_signal&) = delete;
    ~wake_signal();

    /// Returns whether the system has granted the descriptors.
    [[nodiscard]] bool works() const noexcept { return works_; }
    /// Thread-safe. Does not change `errno`.
    void raise() noexcept;
    void ready() override;

private:
    reactor& loop_;
    int ends_[2] = {-1, -1};  ///< an eventfd, or the two ends of a pipe
    bool works_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
