#pragma once
#include "terminal/styled_span.hpp"

#include <string_view>
#include <vector>

namespace repl {

/// The styles of Python source, sorted and without overlaps. Text without a span is plain. Accepts any text: it never fails.
[[nodiscard]] std::vector<styled_span> highlight_python(std::string_view source);

}  // namespace repl
