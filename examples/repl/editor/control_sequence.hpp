#pragma once
#include "editor/key.hpp"

#include <string_view>

namespace repl {

/// The key of the sequence ESC [ `parameters` `last`; `unknown` if there is none.
[[nodiscard]] key key_of_control_sequence(std::string_view parameters, char last);
/// The key of the sequence ESC O `parameters` `last`.
[[nodiscard]] key key_of_single_shift(std::string_view parameters, char last);
/// The key of the sequence ESC [ [ `last`.
[[nodiscard]] key function_key_of_linux(char last);

}  // namespace repl
