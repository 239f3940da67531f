#pragma once
#include <pyaichat/core/cancel.hpp>

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Counts the running calls of a provider. An agent with a borrowed provider waits for them. Copies share the count. Thread-safe.
class provider_gate {
public:
    /// A gate that nobody is going to close counts nothing.
    explicit provider_gate(bool can_close = true);

    /// Represents one running call, until its last copy is destroyed.
    using pass = std::shared_ptr<const void>;
    /// Registers a call, which `stop` cancels. Returns null if the gate is closed.
    [[nodiscard]] pass enter(cancel_source stop) const;

    /// Rejects new calls, cancels the running calls and blocks until they have ended. Only for a gate that can close.
    void close() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
