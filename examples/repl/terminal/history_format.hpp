#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// The text of a history file. The first line of an entry begins with "> ", each other line of it with "| ".
[[nodiscard]] std::string format_history(std::string_view entry);

/// The entries in the text of a file. Lines without such a begin are entries of their own: in a file of libedit, which encodes blanks, or
/// in a file that somebody has written.
[[nodiscard]] std::vector<std::string> parse_history(std::string_view text);

}  // namespace repl
