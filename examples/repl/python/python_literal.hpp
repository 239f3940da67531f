#pragma once
#include <string>
#include <string_view>

namespace repl {

/// The text as a literal of Python source. Bytes that are no UTF-8 become what Python makes of such file names (surrogate escapes).
[[nodiscard]] std::string python_literal(std::string_view text);

}  // namespace repl
