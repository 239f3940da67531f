#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// The names that an entry of Python binds or defines in its own namespace, in the order of the text and each once: assignments,
/// functions, classes, imports, loops, `with`, `:=`. Reads the text only, so names that code binds in other ways are missing.
[[nodiscard]] std::vector<std::string> bound_names(std::string_view source);

}  // namespace repl
