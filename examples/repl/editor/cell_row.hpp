#pragma once
#include "editor/editor_frame.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace repl {

/// The columns that a piece of text takes from a column of its line on. Tabs go to the next multiple of 8.
[[nodiscard]] std::size_t columns_at(std::string_view text, std::size_t at, std::size_t line_column, std::size_t& size) noexcept;

/// Appends the cells of the text. `line_column` is the column where it begins, for tabs. Control characters become a replacement.
void append_cells(std::vector<screen_cell>& row, std::string_view text, std::size_t line_column, text_style style);

}  // namespace repl
