#pragma once
#include "python/python_lexer.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace repl {

/// A logical line of Python that has more than a comment. It may stand on several lines of the text.
struct logical_line {
    std::span<const python_token> tokens = {};  ///< without comments at its end and without its newline
    std::string_view indent = {};               ///< the blanks before it
    std::string_view head = {};                 ///< the first token, or the one behind `async`; `match` and `case` only as keywords
    bool is_block = false;                      ///< begins or continues a block: `if x:`, `else:`, `match x:`
    bool has_colon = false;                     ///< of a block: the colon that ends the head of the block is there
    bool opens_block = false;                   ///< of a block: nothing is behind this colon
};

/// The logical lines of a text. Both arguments must outlive the result.
[[nodiscard]] std::vector<logical_line> logical_lines(std::string_view text, const python_tokens& lexed);

/// The blanks at the beginning of the line of the text that `at` is in.
[[nodiscard]] std::string_view indent_at(std::string_view text, std::size_t at) noexcept;

}  // namespace repl
