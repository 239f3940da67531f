#include "commands/command_groups.hpp"
#include "commands/command_table.hpp"

namespace repl {

namespace {

void show_help(const command_target& target, const std::string&) {
    target.out.out(command_help());
}

void change_mode(const command_target& target, const std::string& mode) {
    if (mode.empty()) {
        target.prompt.set_mode(target.prompt.mode() == console_mode::python ? console_mode::assistant : console_mode::python);
    } else if (mode == "py" || mode == "ai") {
        target.prompt.set_mode(mode == "py" ? console_mode::python : console_mode::assistant);
    } else {
        target.out.err("/mode takes py or ai\n");
    }
}

void quit(const command_target& target, const std::string&) {
    target.prompt.leave();
}

constexpr std::string_view modes[] = {"py", "ai"};

constexpr command commands_of_prompt[] = {
    {"/help", "", "this text", &show_help},
    {"/mode", "[py|ai]", "switch the mode", &change_mode, modes},
    {"/quit", "", "leave; so does /exit", &quit},
    {"/exit", "", "leave", &quit},
};

}  // namespace

std::span<const command> prompt_commands() {
    return commands_of_prompt;
}

}  // namespace repl
