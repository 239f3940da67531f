#pragma once
#include <pyaichat/python/interpreter.hpp>

namespace repl {

/// Ctrl-C, going on after Ctrl-Z, and the terminal's change of size, for the whole program. `install` is called once, before Python starts.
///
/// The handler notes the signal, makes `wake_descriptor` readable, and passes the signal on to Python while a `python_target` is alive.
/// When nothing runs there, nothing comes of it: a Ctrl-C at the prompt never reaches the next statement. System calls are interrupted (no
/// SA_RESTART), so that a blocking read at the prompt returns.
namespace interrupts {

void install();

/// Whether Ctrl-C was pressed since the last call.
[[nodiscard]] bool take() noexcept;
/// Whether the terminal changed its size since the last call.
[[nodiscard]] bool take_resize() noexcept;
/// Whether the program went on after it had been stopped (Ctrl-Z) since the last call.
[[nodiscard]] bool take_continue() noexcept;
/// Becomes readable when any of these happens; `take` empties it.
[[nodiscard]] int wake_descriptor() noexcept;

/// While it lives, Ctrl-C raises KeyboardInterrupt in what Python runs, if it runs anything. One at a time.
class python_target {
public:
    explicit python_target(const pyaichat::python::interpreter& python) noexcept;
    python_target(const python_target&) = delete;
    python_target& operator=(const python_target&) = delete;
    ~python_target();
};

/// While it lives, Ctrl-C is only noted, not passed on: whoever holds it back has something to do before Python is interrupted.
class hold_back {
public:
    hold_back() noexcept;
    hold_back(const hold_back&) = delete;
    hold_back& operator=(const hold_back&) = delete;
    ~hold_back();
};

}  // namespace interrupts

}  // namespace repl
