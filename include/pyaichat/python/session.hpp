#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/python/interpreter.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python {

namespace detail {
class session_state;
}

/// How a piece of Python ended.
enum class ending : unsigned char {
    done,
    raised,       ///< an exception that nothing caught; `SystemExit` is `exited`
    exited,       ///< `SystemExit`: for the host to act on, or not
    incomplete,   ///< only of `run_mode::interactive`: the source is the beginning of a block
    timeout,      ///< its deadline came first; it may still be running
    busy,         ///< not started: something else runs past its own deadline, or ran until this one's
    unavailable,  ///< Python is gone
};

struct exception_info {
    std::string exc_type = {};
    std::string message = {};
    std::string traceback = {};  ///< as Python prints it, without the host's own frames
};

/// What came of a piece of Python.
struct outcome {
    python::ending ending = python::ending::done;
    std::string value = {};  ///< `repr` of an expression's value; empty for statements and `None`
    std::string out = {};    ///< what it wrote to `sys.stdout`, bounded
    std::string err = {};    ///< and to `sys.stderr`
    std::optional<exception_info> exception = {};
    int exit_status = 0;   ///< of `exited`
    std::string why = {};  ///< a sentence, of `timeout`, `busy` and `unavailable`: what runs, since when

    [[nodiscard]] bool ok() const noexcept { return ending == python::ending::done; }
};

enum class run_mode : unsigned char {
    statements,   ///< like a file
    expression,   ///< one expression, whose value is reported
    interactive,  ///< one entry at a prompt: the value of an expression is shown on stdout and kept in `_`; may be `incomplete`
};

enum class output_stream : unsigned char { out, err };

struct run_options {
    run_mode mode = run_mode::statements;
    duration time_left = duration::max();  ///< from now, queueing included
    std::string file_name = "<session>";   ///< for tracebacks
    /// Sees output as it is written, on Python's thread; the outcome has it too.
    std::function<void(output_stream, std::string_view)> output = {};
};

/// A namespace in an interpreter, and the eight introspection capabilities on it (`list_globals get_type get_repr get_dir get_doc inspect
/// eval_expr get_last_exception`). A cheap handle: copies share the namespace. It models `capability_source`. State persists between
/// commands.
class session {
public:
    explicit session(const interpreter& python);

    /// Runs code and blocks until it ended, at most to the deadline. Not to be called on Python's own thread.
    [[nodiscard]] outcome run(std::string code, run_options options = {});
    [[nodiscard]] outcome exec(std::string statements, duration time_left = duration::max());
    [[nodiscard]] outcome eval(std::string expression, duration time_left = duration::max());

    /// Queues code and returns at once; `done` is called exactly once: on Python's thread, or on another when the deadline came first.
    void post(std::string code, run_options options, unique_function<void(outcome)> done);

    [[nodiscard]] result<capability_list> specs() const;
    void invoke(const capability_call& call, capability_responder responder);

private:
    std::shared_ptr<detail::session_state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python
