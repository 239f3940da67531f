#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

using command_words = std::vector<std::string>;

/// A line for a POSIX shell, as far as its meaning is certain.
struct command_line {
    std::vector<command_words> commands = {};
    std::string obstacle = {};  ///< what a shell would treat in another way, for a person; then `commands` is incomplete
};

/// Splits a line into commands. Knows words, quotes, and the operators between commands; all else is an obstacle.
[[nodiscard]] command_line parse_command_line(std::string_view text);

/// Returns the word as it is written in a command line.
[[nodiscard]] std::string quoted_word(const std::string& word);

/// Returns the words as they are written in a command line.
[[nodiscard]] std::string join_words(const command_words& words);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
