#pragma once
#include "commands/command.hpp"

#include <span>

namespace repl {

// The groups of the table. Each is in the file of its name.

[[nodiscard]] std::span<const command> prompt_commands();
[[nodiscard]] std::span<const command> session_commands();
[[nodiscard]] std::span<const command> assistant_commands();
[[nodiscard]] std::span<const command> file_commands();

}  // namespace repl
