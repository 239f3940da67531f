#pragma once
#include "python/completion.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace repl {

/// A command of the console, as completion needs it.
struct command_form {
    enum class argument : unsigned char { none, word, file };

    std::string_view name = {};   ///< `/mode`
    std::string_view about = {};  ///< a few words for the menu
    argument takes = argument::none;
    std::span<const std::string_view> words = {};  ///< for `word`: those that the command knows
};

/// Completes a `/command` or its argument at the cursor. The list is empty for other lines.
[[nodiscard]] completion_list complete_command(std::string_view line, std::size_t cursor, std::span<const command_form> commands);

}  // namespace repl
