#pragma once
#include <string>
#include <vector>

namespace repl {

/// The files that keep the history of each mode, `py` and `ai`, in the state folder of the XDG convention, which is made when it is not
/// there. Empty names when there is no place for them.
[[nodiscard]] std::vector<std::string> history_files();

}  // namespace repl
