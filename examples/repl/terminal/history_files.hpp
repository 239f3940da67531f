#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// The history files of the modes `py` and `ai`, in the XDG state folder, which is created if necessary. Empty names if that is not
/// possible.
[[nodiscard]] std::vector<std::string> history_files();

/// The entries of a file, oldest first; none if it cannot be read. Also reads files that libedit has written.
[[nodiscard]] std::vector<std::string> read_history(const std::string& file);

/// Appends an entry to a file at once, so that a crash loses nothing. Several sessions may do so: the file is locked meanwhile. Does
/// nothing if the name is empty or the file cannot be written: a lost history must not disturb the person.
void append_history(const std::string& file, std::string_view entry);

/// Removes the oldest entries of a file that has grown too long. Replaces the file at once, under the same lock.
void trim_history(const std::string& file);

}  // namespace repl
