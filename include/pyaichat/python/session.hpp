#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/python/interpreter.hpp>
#include <pyaichat/python/values_policy.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {
class session_state;
struct session_access;
}  // namespace detail

/// How a piece of Python code ended.
enum class ending : unsigned char {
    done,
    raised,       ///< an uncaught exception other than `SystemExit`
    exited,       ///< `SystemExit`: the host decides whether to exit
    incomplete,   ///< the source is the beginning of a block; only with `run_mode::interactive`
    timeout,      ///< the deadline passed; the code may still be running
    busy,         ///< not started: other code runs past its deadline, or ran until the deadline of this code
    unavailable,  ///< Python has ended, or could not run the code
};

struct exception_info {
    std::string exc_type = {};
    std::string message = {};
    std::string traceback = {};  ///< as Python prints it, without frames of the SDK
};

/// The outcome of a piece of Python code.
struct outcome {
    python::ending ending = python::ending::done;
    std::string value = {};  ///< `repr` of an expression's value; empty for statements and `None`
    std::string out = {};    ///< output to `sys.stdout`; of more than 1 MiB its beginning and its end
    std::string err = {};    ///< output to `sys.stderr`; of more than 1 MiB its beginning and its end
    std::optional<exception_info> exception = {};
    bool exception_shown = false;  ///< `sys.excepthook` of the code has shown the exception; only with `exception_hooks`
    int exit_status = 0;           ///< for `exited`
    std::string why = {};          ///< for `timeout`, `busy` and `unavailable`: a message with the reason

    [[nodiscard]] bool ok() const noexcept { return ending == python::ending::done; }
};

enum class run_mode : unsigned char {
    statements,   ///< compiled like a file
    expression,   ///< one expression; the outcome has its value
    interactive,  ///< one entry at a prompt: an expression's value is written to stdout and stored in `_`; may be `incomplete`
};

/// What a read of standard input has returned.
struct input_line {
    enum class kind : unsigned char { line, end, interrupted };
    kind what = kind::end;
    std::string text = {};  ///< without its line end
};

struct run_options {
    run_mode mode = run_mode::statements;
    duration time_left = duration::max();  ///< until the deadline, queueing included
    std::string file_name = "<session>";   ///< for tracebacks
    /// Called with output as soon as it is written, on the Python thread that writes it. The outcome has the same output.
    std::function<void(output_stream, std::string_view)> output = {};
    /// Reads a line for `input()` and `sys.stdin`, and shows the prompt before. Called on the Python thread that reads, which waits for it;
    /// `interrupted` raises KeyboardInterrupt. Without this function, reading raises EOFError: the standard input of the process is the
    /// host's.
    std::function<input_line(const std::string& prompt)> input = {};
    /// `sys.stdin` is the standard input of the process. Only with `interpreter_options::standard_streams`, instead of `input`.
    bool process_input = false;
    /// Do what the program `python3` does after an uncaught exception: set `sys.last_value` and its kin, and call `sys.excepthook` if code
    /// has replaced it. The exception stays alive until the next one.
    bool exception_hooks = false;
    /// `await` outside of functions, in entries of `run_mode::interactive`. Such an entry runs in an event loop, the same for all of them.
    bool top_level_await = false;
    /// The values that entries show are in `_`, `__` and `___`, and in `_1`, `_2` and so on, the last 100. They are built-in names, which
    /// listings leave out, instead of a variable `_`. Only in an interpreter of the SDK.
    bool number_values = false;
};

/// What `eval_expr` may do with an expression of the model that cannot be evaluated without user code.
enum class eval_policy : unsigned char {
    structural,    ///< refuse it
    snapshot,      ///< evaluate it in a sealed copy of the process: the live session does not change. Linux only
    ask,           ///< run it in the live session after a person has approved the call
    unrestricted,  ///< run it in the live session
};

/// Returns the name of the enumerator, such as "snapshot".
[[nodiscard]] std::string_view to_string(eval_policy value) noexcept;

/// Returns `snapshot` if this system can evaluate expressions in snapshots, otherwise `structural`.
[[nodiscard]] eval_policy default_eval_policy() noexcept;

struct session_options {
    /// The name of a loaded module whose namespace the session uses, such as `__main__` for the host's own variables. It is looked up in
    /// `sys.modules` at the first use and is never imported. Empty: a new namespace. In an adopted interpreter a new namespace is a module
    /// `pyaichat_session_N`, in `sys.modules` while the session lives; in others it is `__main__` while its code runs.
    std::string module = {};
    eval_policy expressions = default_eval_policy();
    values_policy values = {};             ///< which values may leave the process in replies
    std::vector<std::string> hidden = {};  ///< patterns of names that no reply shows: see `session::hide`
    bool mask_secrets = true;              ///< replace values that look like keys, or whose names say `password` and the like, by `***`
};

/// A Python namespace with introspection capabilities: `list_globals get_type get_repr get_dir get_doc get_source inspect eval_expr
/// get_last_exception get_stack situation`. Models `capability_source` and `reviewing_source`; `invoke` queues the call and replies like
/// `post`. Variables persist between commands. A cheap handle: copies share the namespace. After the interpreter has ended, code ends as
/// `unavailable`.
///
/// If Python is not free within 50 ms, calls of `list_globals get_type get_repr inspect get_stack situation` are answered from the memory
/// of the process, without Python (on Linux). Such a result has `"best_effort": true`: it shows exact built-in types and the attributes
/// that objects store themselves. Other capabilities reply `busy`.
class session {
public:
    /// Creates a session. While the module that the options name is not loaded, code ends as `unavailable`.
    explicit session(const interpreter& python, session_options options = {});

    /// Runs code and blocks until it ends or its deadline passes. Must not be called inside of work, such as in a function that the code
    /// calls. If the thread holds the GIL, it is released meanwhile. On the thread that pumps an adopted interpreter, the waiting work runs
    /// inside this call, and it returns when the code has ended, also after its deadline.
    [[nodiscard]] outcome run(std::string code, run_options options = {});
    /// `run` with `run_mode::statements`.
    [[nodiscard]] outcome exec(std::string statements, duration time_left = duration::max()) {
        return run(std::move(statements), {.time_left = time_left});
    }
    /// `run` with `run_mode::expression`.
    [[nodiscard]] outcome eval(std::string expression, duration time_left = duration::max()) {
        return run(std::move(expression), {.mode = run_mode::expression, .time_left = time_left});
    }

    /// Queues code and returns. `done` is called exactly once: on the thread that ran the code when it has ended, on another thread if its
    /// deadline passes or Python ends first, or inside `post` if it is refused at once. It must not block. The GIL is not held.
    void post(std::string code, run_options options, unique_function<void(outcome)> done);

    /// Changes the policy for expressions, of later calls and in all copies. Thread-safe.
    void set_policy(eval_policy policy) noexcept;
    [[nodiscard]] eval_policy policy() const noexcept;

    /// Hides the variables, attributes and string keys whose names match a pattern (`*`, `?`, `[...]`), as if they did not exist, from all
    /// later calls and in all copies. Expressions that run code (`eval_policy`) can still reach their values. Thread-safe.
    void hide(std::string pattern);
    /// Changes which values may leave the process, for later calls and in all copies. Thread-safe.
    void set_values(values_policy values);
    [[nodiscard]] values_policy values() const;
    /// Switches the masking of secrets on or off, for later calls and in all copies. Thread-safe.
    void set_mask_secrets(bool mask);
    /// Applies the session's rules for privacy to the reply of a capability of the host that shows something of the session: removes hidden
    /// names and values, masks what looks like a secret, and withholds values as the policy says. Fails with `busy` if the hidden values
    /// cannot be read. Thread-safe.
    [[nodiscard]] capability_reply released(capability_reply reply) const;

    /// Makes an exception that the host has caught the last one of the session, for `get_last_exception` and `situation`. Null: there is
    /// none. `exception` is a borrowed `PyObject*`. Its structure is described now; none of its code runs. Call it with the GIL.
    void keep_exception(void* exception);

    [[nodiscard]] result<capability_list> specs() const;
    /// Asks a person about each `eval_expr` if the policy is `ask`.
    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch);
    void invoke(const capability_call& call, capability_responder responder);

private:
    friend struct detail::session_access;
    std::shared_ptr<detail::session_state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python
