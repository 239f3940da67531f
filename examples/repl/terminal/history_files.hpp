#pragma once
#include <string>
#include <vector>

namespace repl {

/// The history files of the modes `py` and `ai`, in the XDG state folder, which is created if necessary. Empty names if that is not
/// possible.
[[nodiscard]] std::vector<std::string> history_files();

}  // namespace repl
