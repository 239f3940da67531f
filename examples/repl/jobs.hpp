#pragma once
#include "assistant/assistant.hpp"
#include "options.hpp"
#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

namespace repl {

/// Whether the questions come from standard input, which Python then must not read.
[[nodiscard]] bool asks_lines(const options& chosen);

/// Runs the script, then each `--exec` and `--ask` in order. Returns the worst status; of a script alone, the status that `python3` would
/// end with. `prompting`: the prompt follows.
[[nodiscard]] exit_status run_jobs(const options& chosen, bool prompting, python_runner& python, assistant& assistant, screen& screen);

}  // namespace repl
