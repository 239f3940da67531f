#pragma once
#include <cstddef>
#include <string_view>

namespace repl {

/// The number of terminal cells that a text takes: two for wide characters and emoji, none for combining characters. Characters that a
/// zero-width joiner connects count as one.
[[nodiscard]] std::size_t cell_width(std::string_view text) noexcept;

}  // namespace repl
