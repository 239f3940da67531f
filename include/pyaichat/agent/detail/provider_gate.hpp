#pragma once
#include <pyaichat/core/cancel.hpp>

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Counts the calls that are inside a provider, so that an agent with a borrowed provider can wait for them. Copies share the count.
class provider_gate {
public:
    provider_gate();

    /// Stands for one call inside until its last copy is destroyed. Null when the gate is closed. Any thread.
    using pass = std::shared_ptr<const void>;
    [[nodiscard]] pass enter(cancel_source stop) const;

    /// Lets nobody in any more, trips the tokens of those inside, and waits until they have left.
    void close() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
