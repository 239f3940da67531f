#pragma once

namespace repl {

/// The columns that a character takes on a terminal: 0, 1 or 2. Not for control characters. The tables are facts of Unicode 15.
[[nodiscard]] int character_width(char32_t character) noexcept;

}  // namespace repl
