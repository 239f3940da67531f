#pragma once
#include <string>
#include <string_view>

namespace repl {

/// The text as a Python string literal. Bytes that are not valid UTF-8 become surrogate escapes, as in Python's file names.
[[nodiscard]] std::string python_literal(std::string_view text);

}  // namespace repl
