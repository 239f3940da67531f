#pragma once
#include <pyaichat/core/result.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {
class interpreter_thread;
}

struct interpreter_options {
    bool isolated = true;  ///< no environment variables, no user site, no current folder on `sys.path`
};

/// What Python is busy with.
struct running_work {
    std::string what = {};  ///< `eval_expr(sum(range(10**12)))`
    duration since = {};    ///< how long it has been running
    bool overdue = false;   ///< it is past its own deadline
};

/// An own Python interpreter, on a thread of its own which is Python's main thread. The host never blocks on it.
///
/// One per process at a time. No signal handler is installed, ever. Destroying it interrupts what runs (a sleep is not woken by that),
/// waits at most a second, and detaches a thread that does not come back: Python is then never finalized, the process leaves by `exit` as
/// usual, and no other interpreter can be started in it. After an orderly end another one can; whether extension modules bear that is up to
/// them.
class interpreter {
public:
    /// Starts Python. Fails with `invalid_state` when the process has an interpreter already, with `internal` when Python cannot start.
    [[nodiscard]] static result<interpreter> start(interpreter_options options = {});

    interpreter(interpreter&&) noexcept;
    interpreter& operator=(interpreter&&) noexcept;
    ~interpreter();

    /// "3.11.2". Any thread.
    [[nodiscard]] std::string version() const;

    /// What runs now, if anything. Any thread, never blocks.
    [[nodiscard]] std::optional<running_work> running() const;

    /// Raises KeyboardInterrupt in the code that runs now, and wakes it from a sleep or a read; without such code it does nothing. Any
    /// thread; async-signal-safe: meant to be called from the host's own SIGINT handler, on whichever thread that runs. Only a real signal
    /// wakes a sleep: called elsewhere, it sends SIGINT on to Python's thread, so the host's handler runs there too and has to call this
    /// again (install it without `SA_RESTART`, so that reads wake as well). When the host has no handler for SIGINT, no signal is sent, and
    /// only loops of Python code stop. A loop inside C (`sum(range(10**12))`) cannot be stopped by anything.
    void interrupt() const noexcept;

    /// Stops waiting for what runs now: its caller is answered `timeout` at once, and until it ends all new work is answered `busy`. Any
    /// thread.
    void give_up() const;

private:
    friend class session;
    explicit interpreter(std::shared_ptr<detail::interpreter_thread> thread);
    std::shared_ptr<detail::interpreter_thread> thread_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python
