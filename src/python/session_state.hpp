#pragma once
#include "python/interpreter_thread.hpp"
#include "python/last_exception.hpp"
#include "python/output_capture.hpp"

#include <pyaichat/python/session.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A namespace and what happened in it. All members but `python` belong to Python's thread, with the GIL held.
class session_state : public std::enable_shared_from_this<session_state> {
public:
    explicit session_state(std::shared_ptr<interpreter_thread> python) : python_(std::move(python)) {}
    ~session_state();
    session_state(const session_state&) = delete;
    session_state& operator=(const session_state&) = delete;

    [[nodiscard]] interpreter_thread& python() const noexcept { return *python_; }

    /// The names of the session, made at the first use. Null, with no error set, when Python has no memory left for them.
    [[nodiscard]] PyObject* globals();

    /// What becomes of the exception of a run.
    enum class on_exception : unsigned char { keep, forget };

    /// How the value of an expression is turned into text.
    static constexpr std::size_t max_value_chars = std::size_t{1} << 20;

    /// Runs code; its output goes to `sink`, an uncaught exception into the outcome.
    [[nodiscard]] outcome run(const std::string& code, const run_options& options, const std::shared_ptr<output_sink>& sink,
                              on_exception what = on_exception::keep, std::size_t max_chars = max_value_chars);

    [[nodiscard]] const std::optional<caught_exception>& last_exception() const noexcept { return last_exception_; }

private:
    void let_go() noexcept;
    [[nodiscard]] ref compile(const std::string& code, const run_options& options) const;
    /// Runs compiled code; false with the Python error set.
    [[nodiscard]] bool evaluate(PyObject* code, const run_options& options, std::size_t max_chars, outcome& into);
    void report(PyObject* exception, on_exception what, outcome& into);

    std::shared_ptr<interpreter_thread> python_;
    ref module_;
    ref compiler_;  ///< of entries at a prompt; remembers their `from __future__` imports
    std::optional<caught_exception> last_exception_;
    std::uint64_t entries_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
