#pragma once
#include "assistant/inline_markdown.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// Lays out a Markdown table. `rows` are its lines: header, delimiter row, data. Columns are aligned by terminal cells. A table that is
/// wider than `columns` becomes a list of its cells, each with its heading (0 = any width). Returns nothing if the lines are not a table.
[[nodiscard]] std::vector<marked_text> layout_table(const std::vector<std::string>& rows, std::size_t columns);

}  // namespace repl
