#pragma once
#include <pyaichat/python/interpreter.hpp>

namespace repl {

/// The signal handlers of the program: SIGINT (Ctrl-C), SIGCONT (after Ctrl-Z) and SIGWINCH (terminal size). Call `install` once, before
/// Python starts.
///
/// The handler records the signal and makes `wake_descriptor` readable. While a `python_target` is alive, it also interrupts Python; if no
/// Python code is running, that has no effect on the next statement. SIGINT is installed without SA_RESTART: a blocking read returns.
namespace interrupts {

void install();

/// Returns whether Ctrl-C was pressed since the last call.
[[nodiscard]] bool take() noexcept;
/// Returns whether the terminal size changed since the last call.
[[nodiscard]] bool take_resize() noexcept;
/// Returns whether the program was continued after Ctrl-Z since the last call.
[[nodiscard]] bool take_continue() noexcept;
/// A descriptor that becomes readable after each of these signals. `take` drains it.
[[nodiscard]] int wake_descriptor() noexcept;

/// While it is alive, Ctrl-C raises KeyboardInterrupt in the running Python code. Only one may exist.
class python_target {
public:
    explicit python_target(const pyaichat::python::interpreter& python) noexcept;
    python_target(const python_target&) = delete;
    python_target& operator=(const python_target&) = delete;
    ~python_target();
};

/// While it is alive, Ctrl-C is recorded but does not interrupt Python: the owner has to act first.
class defer_python {
public:
    defer_python() noexcept;
    defer_python(const defer_python&) = delete;
    defer_python& operator=(const defer_python&) = delete;
    ~defer_python();
};

}  // namespace interrupts

}  // namespace repl
