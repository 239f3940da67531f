#pragma once
#include <pyaichat/core/result.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The right to use Python in this process. One owner at a time, because `sys.stdout` and the signal table exist once. Thread-safe.
class interpreter_slot {
public:
    /// Takes the slot. Fails with `invalid_state`; the message says who has it.
    [[nodiscard]] static result<void> take();
    /// Gives the slot back.
    static void free() noexcept;
    /// The owner has ended, but its code still runs. `free` may follow.
    static void leave() noexcept;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
