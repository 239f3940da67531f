#pragma once
#include "assistant/assistant.hpp"
#include "options.hpp"
#include "python/python_runner.hpp"
#include "terminal/console.hpp"
#include "terminal/screen.hpp"

namespace repl {

/// Does what the command line asks for: the script, then `--exec` and `--ask` in their order. The worst status of all.
[[nodiscard]] exit_status run_jobs(const options& chosen, python_runner& python, assistant& assistant, console& console, screen& screen);

}  // namespace repl
