#include "commands/command_table.hpp"

#include "commands/command_groups.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace repl {

namespace {

constexpr const char* introduction = R"(TAB on an empty line switches between Python and the assistant; Alt-P always does.
  Python      statements, expressions, blocks (end a block with an empty line); the last value is in _
              name? shows the documentation, name?? the source
  assistant   a question about the session, answered from the live objects
  !command    runs the command; its output is known to the next question
)";
constexpr const char* ending = "Ctrl-D on an empty line also quits; Ctrl-C interrupts.\n";

std::vector<command> all_commands() {
    std::vector<command> all;
    for (const auto group : {prompt_commands(), session_commands(), assistant_commands(), file_commands()}) {
        all.insert(all.end(), group.begin(), group.end());
    }
    return all;
}

std::string usage_of(const command& each) {
    return std::string(each.name) + (*each.arguments != '\0' ? " " : "") + each.arguments;
}

}  // namespace

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const command& each : all_commands()) {
        names.emplace_back(each.name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

const std::vector<command_form>& command_forms() {
    static const std::vector<command_form> forms = [] {
        std::vector<command_form> made;
        for (const command& each : all_commands()) {
            const bool file = std::string_view(each.arguments).starts_with("FILE");
            made.push_back({.name = each.name,
                            .about = each.help,
                            .takes = file                  ? command_form::argument::file
                                     : !each.words.empty() ? command_form::argument::word
                                                           : command_form::argument::none,
                            .words = each.words});
        }
        return made;
    }();
    return forms;
}

std::string command_help() {
    const std::vector<command> all = all_commands();
    std::size_t width = 0;
    for (const command& each : all) {
        width = std::max(width, usage_of(each).size());
    }
    std::string text = introduction;
    for (const command& each : all) {
        std::string usage = usage_of(each);
        usage.resize(width, ' ');
        text += "  " + usage + "  " + each.help + "\n";
    }
    return text + ending;
}

void run_command(const command_target& target, std::string_view line) {
    line = ai::detail::trimmed(line);
    const std::size_t end = std::min(line.find_first_of(" \t\n"), line.size());
    const std::string_view name = line.substr(0, end);
    for (const command& each : all_commands()) {
        if (name == each.name) {
            each.run(target, std::string(ai::detail::trimmed(line.substr(end))));
            return;
        }
    }
    const std::vector<std::string> names = command_names();
    const std::string_view nearest = ai::detail::nearest_name(name, names);
    target.out.err("unknown command " + printable(name) + (nearest.empty() ? ";" : "; did you mean " + std::string(nearest) + "?") +
                   " /help lists the commands\n");
}

bool is_shell_command(std::string_view entry) noexcept {
    return ai::detail::trimmed(entry).starts_with('!');
}

}  // namespace repl
