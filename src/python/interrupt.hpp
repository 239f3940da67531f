#pragma once
#include <pyaichat/config/config.hpp>

#include <atomic>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Raises KeyboardInterrupt in Python's thread on behalf of others, without ever installing a signal handler in the process.
///
/// Only a real signal wakes Python from a sleep or a read. The host's own SIGINT handler brings it: on another thread `interrupt` sends it
/// on to Python's thread, where the same handler calls `interrupt` again, and there it marks the signal in Python's own table.
class interrupter {
public:
    /// Python's thread, GIL held, once Python runs: makes KeyboardInterrupt of a marked SIGINT. Importing `signal`, which any Python code
    /// may do, would otherwise install Python's handler; here the process's disposition is put back at once. False with a Python error set.
    [[nodiscard]] bool attach();
    /// Before Python ends: it would otherwise reset the disposition.
    void detach();

    /// Python's thread: whether there is something that may be interrupted. Arming forgets what came in before.
    void arm();
    void disarm() noexcept { armed_.store(false); }

    /// Any thread, async-signal-safe. Nothing happens while nothing is armed.
    void interrupt() const noexcept;

private:
    std::atomic<bool> armed_ = false;
    std::thread::native_handle_type python_thread_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
