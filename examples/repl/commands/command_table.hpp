#pragma once
#include "commands/command.hpp"
#include "python/command_completion.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// The names of all commands, sorted, with the slash.
[[nodiscard]] std::vector<std::string> command_names();

/// All commands, as completion needs them.
[[nodiscard]] const std::vector<command_form>& command_forms();

/// The text of `/help`.
[[nodiscard]] std::string command_help();

/// Runs a line that begins with a slash. An unknown command is an error message with the nearest name.
void run_command(const command_target& target, std::string_view line);

/// Whether an entry is a shell command, such as `!ls`.
[[nodiscard]] bool is_shell_command(std::string_view entry) noexcept;

}  // namespace repl
