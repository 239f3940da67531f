#include "python/command_completion.hpp"

#include "python/file_completion.hpp"

#include <algorithm>

namespace repl {

completion_list complete_command(std::string_view line, std::size_t cursor, std::span<const command_form> commands) {
    const std::string_view before = line.substr(0, cursor);
    completion_list found{.begin = before.size(), .end = before.size()};
    const std::size_t name_end = before.find(' ');
    if (!before.starts_with('/') || before.find('\n') != std::string_view::npos) {
        return found;
    }
    if (name_end == std::string_view::npos) {
        found.begin = 0;
        for (const command_form& each : commands) {
            if (each.name.starts_with(before)) {
                found.items.push_back({.text = std::string(each.name), .detail = std::string(each.about)});
            }
        }
        std::ranges::sort(found.items, {}, &completion::text);
        return found;
    }
    const std::string_view name = before.substr(0, name_end);
    const auto command = std::ranges::find(commands, name, &command_form::name);
    const std::size_t begin = std::min(before.find_first_not_of(' ', name_end), before.size());
    const std::string_view argument = before.substr(begin);
    if (command == commands.end() || command->takes == command_form::argument::none) {
        return found;
    }
    if (command->takes == command_form::argument::file) {
        return complete_file(argument, before.size());
    }
    found.begin = begin;
    for (const std::string_view each : command->words) {
        if (each.starts_with(argument)) {
            found.items.push_back({.text = std::string(each)});
        }
    }
    std::ranges::sort(found.items, {}, &completion::text);
    return found;
}

}  // namespace repl
