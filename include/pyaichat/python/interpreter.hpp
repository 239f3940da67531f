#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/core/task.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {
class interpreter_core;
}

class object_view;
struct object_description;

enum class output_stream : unsigned char { out, err };

struct interpreter_options {
    bool isolated = true;  ///< ignore environment variables, the user's site-packages and the current folder
    /// Keep variables such as `GEMINI_API_KEY` in `os.environ`. Otherwise Python starts without those whose names say that they hold a
    /// secret. The environment of the process stays as it is, and so does that of programs that Python starts.
    bool keep_secrets = false;
    std::vector<std::string> arguments = {};  ///< `sys.argv`
    /// Folders that come first on `sys.path`; an empty text is the working folder. Ignored if `isolated`.
    std::vector<std::string> import_folders = {};
    /// The folder of a virtual environment of this minor version of Python. Code imports its packages, and `sys.prefix` is this folder.
    /// Ignored if `isolated`.
    std::string virtual_environment = {};
    /// Python's streams are those of the process: `sys.stdin`, `sys.stdout` and `sys.stderr` answer `isatty()` and `fileno()` for the
    /// descriptors 0 to 2. The host must write the output that it gets to the descriptors 1 and 2.
    bool standard_streams = false;
    /// Called with output that is written while no code of a session runs, for example by threads, on the thread that writes it. Without
    /// this function, the next code that runs gets that output.
    std::function<void(output_stream, std::string_view)> background_output = {};
};

/// Where the work of an adopted interpreter runs. By default on a thread of the SDK, which takes the GIL for each piece of work.
struct adopt_options {
    /// All work runs on the thread that adopts, inside its calls of `run_pending` and of `session::run`.
    bool pumped = false;
    /// Each piece of work is passed to this function as a task, for example for an engine's main-thread queue. Called on any thread without
    /// the GIL, also inside `session::invoke`; it may run the task at once. Run each task once, on any thread; destroying it refuses the
    /// work. Not together with `pumped`.
    std::function<void(task)> post = {};
};

/// The Python code that runs now.
struct running_work {
    std::string what = {};  ///< its source or its call in one line: `eval_expr(sum(range(10**12)))`
    duration since = {};    ///< time since it started
    bool overdue = false;   ///< its deadline has passed, or its call was cancelled
};

/// An embedded Python interpreter: one of its own (`start`), or the host's (`adopt`). It installs no signal handler. One per process at a
/// time.
///
/// An interpreter of its own runs on its own thread, Python's main thread. The destructor interrupts the running code (this does not wake a
/// sleep) and waits for the thread: at most one second if code runs, at most five seconds if Python only has to finalize. Otherwise it
/// detaches the thread: Python is never finalized, the process exits normally, and no other interpreter can start in it. After a normal end
/// another one can, if the extension modules in use support that.
///
/// An adopted interpreter belongs to the host: nothing of it is changed outside of the SDK's own work, and it is never finalized. The
/// destructor interrupts the running code and waits for it at most one second. Destroy the handle before Python is finalized; otherwise it
/// lets go of Python in an `atexit` function.
class interpreter {
public:
    /// Starts Python and waits until it is ready. Fails with `invalid_state` if the process already has an interpreter, with `internal` if
    /// Python cannot start.
    [[nodiscard]] static result<interpreter> start(interpreter_options options = {});

    /// Adopts the Python that runs in this process, which must outlive the handle or end through `Py_FinalizeEx`. Call it on any thread,
    /// with or without the GIL; it takes the GIL. Fails with `invalid_state` if Python is not initialized, if it was started or adopted by
    /// the SDK already, or if the calling thread is in a sub-interpreter; with `not_allowed` if it is of another minor version than the
    /// SDK was compiled with; with `invalid_argument` if the options exclude each other; with `internal` if the SDK's own code cannot run
    /// in it.
    [[nodiscard]] static result<interpreter> adopt(adopt_options options = {});

    interpreter(interpreter&&) noexcept;
    interpreter& operator=(interpreter&&) noexcept;
    ~interpreter();

    /// Returns the version of Python, such as "3.11.2". Thread-safe; also before an interpreter has started.
    [[nodiscard]] static std::string version();

    /// Returns the code that runs now, if any. Thread-safe; does not wait for Python.
    [[nodiscard]] std::optional<running_work> running() const;

    /// Runs waiting work of an interpreter that was adopted with `pumped`, until `budget` has passed, but at least one piece. Returns the
    /// number of pieces; 0 also inside of work, and for other interpreters. A piece is not cut off: its deadline only ends the wait of its
    /// caller. Call it on the thread that adopted, with or without the GIL.
    std::size_t run_pending(duration budget);

    /// Raises KeyboardInterrupt in the running code and wakes it from a sleep or a read. Does nothing if no code runs. Thread-safe and
    /// async-signal-safe: call it from the host's SIGINT handler. Only a real signal wakes a sleep, so on other threads this function sends
    /// SIGINT to Python's thread, where the host's handler calls it again. Install the handler without `SA_RESTART`, so that reads wake
    /// too. Without a host handler no signal is sent, and only loops of Python code stop. A loop in C (`sum(range(10**12))`) never stops.
    /// Of an adopted interpreter it stops only loops of Python code, and must not be called from a signal handler.
    void interrupt() const noexcept;

    /// Stops waiting for the running code: its caller gets `timeout` at once, and new work gets `busy` until the code ends. Thread-safe.
    void give_up() const;

private:
    friend class session;
    friend result<void> describe_type(const interpreter& python, std::string type_name,
                                      std::function<object_description(const object_view&)> describe);
    explicit interpreter(std::shared_ptr<detail::interpreter_core> core);
    std::shared_ptr<detail::interpreter_core> core_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python
