#pragma once
#include <pyaichat/python/session.hpp>

#include "terminal/interrupts.hpp"
#include "terminal/screen.hpp"

#include <optional>
#include <string>

namespace repl {

namespace ai = pyaichat;

/// Runs what the person gives to Python: output shown live, tracebacks on standard error, Ctrl-C passed on.
///
/// It never waits for ever: a statement that does not react to Ctrl-C (a loop inside C) is left to itself at the second one, and until it
/// has ended other statements are refused with a sentence.
class python_runner {
public:
    python_runner(const ai::python::interpreter& python, screen& screen) : python_(python), session_(python), screen_(screen) {}

    ai::python::outcome run(std::string code, ai::python::run_mode mode, std::string file_name);

    /// What Python is still busy with, as a sentence; nothing when it is free.
    [[nodiscard]] std::optional<std::string> busy() const;

    /// Stops what still runs, as well as that can be done in a moment; false when it goes on.
    [[nodiscard]] bool settle() const;

    /// Raises KeyboardInterrupt in what runs, if anything does.
    void interrupt() const noexcept { python_.interrupt(); }

    [[nodiscard]] ai::python::session& session() noexcept { return session_; }

private:
    void show(const ai::python::outcome& came);

    const ai::python::interpreter& python_;
    ai::python::session session_;
    screen& screen_;
};

}  // namespace repl
