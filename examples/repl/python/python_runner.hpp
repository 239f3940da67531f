#pragma once
#include <pyaichat/python/session.hpp>

#include "python/entry_record.hpp"
#include "terminal/interrupts.hpp"
#include "terminal/screen.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace repl {

namespace ai = pyaichat;

/// Runs the person's code in Python. Shows output live and tracebacks on standard error; Ctrl-C interrupts the code.
///
/// `run` never blocks forever: if the code does not react to Ctrl-C (a loop in C code), the second Ctrl-C makes `run` return. Until that
/// code has ended, `run` refuses other code with a message.
class python_runner {
public:
    python_runner(const ai::python::interpreter& python, screen& screen, const ai::python::session_options& options = {})
        : python_(python), session_(python, options), screen_(screen) {}

    /// Reads a line for Python's `input()` and `sys.stdin`, and shows the prompt before.
    using input_reader = std::function<ai::python::input_line(const std::string& prompt)>;

    /// Connects the input of all code that runs later. The reader is called inside `run`, on its thread. Without it, reading raises
    /// EOFError.
    void set_input(input_reader read) { read_input_ = std::move(read); }

    /// Colours tracebacks, for a terminal.
    void set_colors(bool colors) noexcept { colors_ = colors; }

    /// Runs code. `%time STATEMENT` as an entry shows the time that the statement takes.
    ai::python::outcome run(std::string code, ai::python::run_mode mode, std::string file_name);
    /// Runs a script: its `sys.stdin` is the standard input of the process if `own_input`.
    ai::python::outcome run_script(std::string code, std::string file_name, bool own_input);

    /// Waits for Python's threads and runs its `atexit` functions, as at the end of `python3`. Does nothing while other code runs.
    void finish();

    /// A sentence about the code that is still running, or nothing.
    [[nodiscard]] std::optional<std::string> busy() const;

    /// Interrupts running code and waits up to 300 ms. Returns false if it is still running.
    [[nodiscard]] bool stop() const;

    /// Raises KeyboardInterrupt in running code.
    void interrupt() const noexcept { python_.interrupt(); }

    [[nodiscard]] ai::python::session& session() noexcept { return session_; }
    /// What the person has entered and what came of it.
    [[nodiscard]] entry_record& record() noexcept { return record_; }

private:
    ai::python::outcome run(std::string code, ai::python::run_options options);
    void show(const ai::python::outcome& outcome);

    const ai::python::interpreter& python_;
    ai::python::session session_;
    screen& screen_;
    input_reader read_input_;
    entry_record record_;
    bool colors_ = false;
};

}  // namespace repl
