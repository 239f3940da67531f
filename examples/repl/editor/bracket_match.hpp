#pragma once
#include "terminal/styled_span.hpp"

#include <cstddef>
#include <string_view>
#include <vector>

namespace repl {

/// The bracket at or before the cursor and its partner, as two spans in the order of the text; empty if there is no pair. Brackets in the
/// strings and comments of `spans` do not count.
[[nodiscard]] std::vector<styled_span> matching_brackets(std::string_view text, std::size_t cursor, const std::vector<styled_span>& spans);

}  // namespace repl
