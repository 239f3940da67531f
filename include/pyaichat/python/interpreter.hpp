#pragma once
#include <pyaichat/core/result.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {
class interpreter_thread;
}

class object_view;
struct object_description;

struct interpreter_options {
    bool isolated = true;  ///< ignore environment variables, the user's site-packages and the current folder
    /// Keep variables such as `GEMINI_API_KEY` in `os.environ`. Otherwise Python starts without those whose names say that they hold a
    /// secret. The environment of the process stays as it is, and so does that of programs that Python starts.
    bool keep_secrets = false;
};

/// The Python code that runs now.
struct running_work {
    std::string what = {};  ///< its source or its call in one line: `eval_expr(sum(range(10**12)))`
    duration since = {};    ///< time since it started
    bool overdue = false;   ///< its deadline has passed, or its call was cancelled
};

/// An embedded Python interpreter on a thread of its own, Python's main thread. It installs no signal handler. One per process at a time.
///
/// The destructor interrupts the running code (this does not wake a sleep) and waits for the thread: at most one second if code runs, at
/// most five seconds if Python only has to finalize. Otherwise it detaches the thread: Python is never finalized, the process exits
/// normally, and no other interpreter can start in it. After a normal end another one can, if the extension modules in use support that.
class interpreter {
public:
    /// Starts Python and waits until it is ready. Fails with `invalid_state` if the process already has an interpreter, with `internal` if
    /// Python cannot start.
    [[nodiscard]] static result<interpreter> start(interpreter_options options = {});

    interpreter(interpreter&&) noexcept;
    interpreter& operator=(interpreter&&) noexcept;
    ~interpreter();

    /// Returns the version of Python, such as "3.11.2". Thread-safe.
    [[nodiscard]] std::string version() const;

    /// Returns the code that runs now, if any. Thread-safe; does not wait for Python.
    [[nodiscard]] std::optional<running_work> running() const;

    /// Raises KeyboardInterrupt in the running code and wakes it from a sleep or a read. Does nothing if no code runs. Thread-safe and
    /// async-signal-safe: call it from the host's SIGINT handler. Only a real signal wakes a sleep, so on other threads this function sends
    /// SIGINT to Python's thread, where the host's handler calls it again. Install the handler without `SA_RESTART`, so that reads wake
    /// too. Without a host handler no signal is sent, and only loops of Python code stop. A loop in C (`sum(range(10**12))`) never stops.
    void interrupt() const noexcept;

    /// Stops waiting for the running code: its caller gets `timeout` at once, and new work gets `busy` until the code ends. Thread-safe.
    void give_up() const;

private:
    friend class session;
    friend result<void> describe_type(const interpreter& python, std::string type_name,
                                      std::function<object_description(const object_view&)> describe);
    explicit interpreter(std::shared_ptr<detail::interpreter_thread> thread);
    std::shared_ptr<detail::interpreter_thread> thread_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python
