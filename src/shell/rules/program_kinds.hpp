#pragma once
#include "shell/rules/command_line.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Why no rule may allow a command: it runs another program, or code that it is given. Empty if a rule may allow it. `named` is the number
/// of leading words that the rule names.
[[nodiscard]] std::string_view danger_of(const command_words& command, std::size_t named);

/// The leading words that make a useful rule for such commands, such as `git push`. Empty if no rule may allow them, and for programs that
/// destroy what they are given.
[[nodiscard]] command_words useful_rule(const command_words& command);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
