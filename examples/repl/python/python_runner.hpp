#pragma once
#include <pyaichat/python/session.hpp>

#include "terminal/interrupts.hpp"
#include "terminal/screen.hpp"

#include <optional>
#include <string>

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

    ai::python::outcome run(std::string code, ai::python::run_mode mode, std::string file_name);

    /// A sentence about the code that is still running, or nothing.
    [[nodiscard]] std::optional<std::string> busy() const;

    /// Interrupts running code and waits up to 300 ms. Returns false if it is still running.
    [[nodiscard]] bool stop() const;

    /// Raises KeyboardInterrupt in running code.
    void interrupt() const noexcept { python_.interrupt(); }

    [[nodiscard]] ai::python::session& session() noexcept { return session_; }

private:
    void show(const ai::python::outcome& outcome);

    const ai::python::interpreter& python_;
    ai::python::session session_;
    screen& screen_;
};

}  // namespace repl
