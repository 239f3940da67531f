#pragma once
#include "python/interpreter/interpreter_core.hpp"
#include "python/memory/own_memory_reply.hpp"
#include "python/privacy/privacy_rules.hpp"
#include "python/session/last_exception.hpp"
#include "python/session/session_history.hpp"
#include "python/session/variable_baseline.hpp"

#include <pyaichat/python/session.hpp>

#include <atomic>
#include <memory>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The namespace of a session and its last exception. Only `python`, `addresses`, the policy and `privacy` may be used without the GIL or
/// on another thread.
class session_state : public std::enable_shared_from_this<session_state> {
public:
    session_state(std::shared_ptr<interpreter_core> python, session_options options)
        : python_(std::move(python)),
          options_(std::move(options)),
          policy_(options_.expressions),
          privacy_({.values = options_.values, .hidden = options_.hidden, .mask_secrets = options_.mask_secrets}) {}
    ~session_state();
    session_state(const session_state&) = delete;
    session_state& operator=(const session_state&) = delete;

    [[nodiscard]] interpreter_core& python() const noexcept { return *python_; }

    [[nodiscard]] eval_policy policy() const noexcept { return policy_.load(); }
    void set_policy(eval_policy policy) noexcept { policy_.store(policy); }

    /// What replies may contain. Thread-safe.
    [[nodiscard]] privacy_settings& privacy() noexcept { return privacy_; }

    /// The session's globals, created at the first use. Borrowed; null, without an error set, if `why_no_globals`.
    [[nodiscard]] PyObject* globals();
    [[nodiscard]] std::string why_no_globals() const;
    /// Prepares the process for code of the session. Returns false with a Python error set if that fails.
    [[nodiscard]] bool activate() { return python_->activate(module_.get(), main_.get()); }

    /// Where the globals are, for reading them from memory.
    [[nodiscard]] session_addresses addresses() const noexcept { return {.globals = globals_address_, .builtins = builtins_address_}; }

    /// Whether `run` stores an uncaught exception for `last_exception`.
    enum class on_exception : unsigned char { keep, forget };

    /// The maximum length of an expression's `repr`, in code points.
    static constexpr std::size_t max_value_chars = std::size_t{1} << 20;

    /// Runs code. Its output goes to `sink`, an uncaught exception into the outcome.
    [[nodiscard]] outcome run(const std::string& code, const run_options& options, const std::shared_ptr<output_sink>& sink,
                              on_exception action = on_exception::keep, std::size_t max_chars = max_value_chars);

    [[nodiscard]] const std::optional<caught_exception>& last_exception() const noexcept { return last_exception_; }
    /// Replaces it by a description of this exception, or by nothing if it is null. Needs the GIL; runs no code of the exception.
    void keep_exception(PyObject* exception);
    /// What the person ran lately.
    [[nodiscard]] const session_history& history() const noexcept { return history_; }
    /// The variables at the last question about the situation.
    [[nodiscard]] variable_baseline& baseline() noexcept { return baseline_; }

private:
    [[nodiscard]] ref compile(const std::string& code, const run_options& options) const;
    /// Runs compiled code. Returns false with a Python error set if it fails.
    [[nodiscard]] bool evaluate(PyObject* code, const run_options& options, std::size_t max_chars, outcome& into);
    [[nodiscard]] session_objects take_objects() noexcept;
    /// Calls what code has put into `sys` for uncaught exceptions. If that raises SystemExit, `exception` becomes it.
    void call_hooks(ref& exception, outcome& into) const;
    void report(PyObject* exception, on_exception action, outcome& into);

    const std::shared_ptr<interpreter_core> python_;
    const session_options options_;
    std::atomic<eval_policy> policy_;
    privacy_settings privacy_;
    ref module_;
    std::atomic<address> globals_address_ = 0;  ///< while `module_` is alive
    std::atomic<address> builtins_address_ = 0;
    ref main_;      ///< `__main__` while code of the session runs, if the interpreter is of the SDK
    ref compiler_;  ///< compiles entries at a prompt; remembers their `from __future__` imports
    std::optional<caught_exception> last_exception_;
    session_history history_;
    variable_baseline baseline_;
    std::uint64_t entries_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
