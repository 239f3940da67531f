#pragma once
#include "assistant/assistant.hpp"
#include "commands/prompt_control.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

#include <span>
#include <string>
#include <string_view>

namespace repl {

/// What a command acts on.
struct command_target {
    python_runner& python;
    assistant& answers;
    plugin_set& plugins;
    screen& out;
    prompt_control& prompt;
};

/// One slash command.
struct command {
    const char* name;       ///< with the slash
    const char* arguments;  ///< for the help: "[on|off]"; may be empty
    const char* help;       ///< one line
    void (*run)(const command_target& target, const std::string& argument);
    std::span<const std::string_view> words = {};  ///< for the completion: the arguments that the command knows
};

}  // namespace repl
