#pragma once
#include "assistant/assistant.hpp"
#include "options.hpp"
#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

namespace repl {

/// Runs the script, then each `--exec` and `--ask` in order. Returns the worst status.
[[nodiscard]] exit_status run_jobs(const options& chosen, python_runner& python, assistant& assistant, screen& screen);

}  // namespace repl
