#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// The names that Python source defines: by assignments, `def`, `class`, `import`, `for`, `as` and parameters. Sorted, each once.
[[nodiscard]] std::vector<std::string> names_defined_in(std::string_view source);

/// The same for the names of a module: only those of lines without indentation.
[[nodiscard]] std::vector<std::string> module_names_in(std::string_view source);

}  // namespace repl
