#pragma once
#include <pyaichat/config/config.hpp>

#include <atomic>
#include <thread>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Raises KeyboardInterrupt in Python's thread without installing a signal handler in the process.
///
/// Only a real signal wakes Python from a sleep or a read, so `interrupt` is called by the host's SIGINT handler. On another thread it
/// sends SIGINT to Python's thread. There the handler calls it again, and it marks the signal in Python's own table.
class interrupter {
public:
    /// Makes a marked SIGINT raise KeyboardInterrupt, and stops Python code that uses `signal` from replacing the host's SIGINT handler.
    /// For Python's thread, GIL held, after Python has started. Returns false with a Python error set if it fails.
    [[nodiscard]] bool attach();
    /// Call it before Python ends, which would otherwise reset the SIGINT disposition.
    void detach();

    /// Accept interrupts while user code runs; `arm` discards earlier ones. For Python's thread.
    void arm();
    void disarm() noexcept { armed_.store(false); }

    /// Interrupts the running code, if armed. Thread-safe and async-signal-safe.
    void interrupt() const noexcept;

private:
    std::atomic<bool> armed_ = false;
    std::thread::native_handle_type python_thread_ = {};
};

/// Identifies the process, to detect a fork.
[[nodiscard]] long process_id() noexcept;

/// Ends the process at once, without destructors and exit handlers.
[[noreturn]] void leave_process(int status) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
