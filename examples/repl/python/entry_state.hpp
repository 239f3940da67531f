#pragma once
#include <string>
#include <string_view>

namespace repl {

/// Whether Enter at the end of an entry ends it.
struct entry_state {
    bool complete = true;     ///< otherwise Enter begins a new line of the entry
    std::string indent = {};  ///< blanks that the new line begins with
};

/// Judges the text of an entry by its tokens, without Python: open brackets, open triple-quoted strings, a backslash at the end, and a
/// block that has not ended by an empty line continue. A text that cannot become valid by more lines is complete: Python reports its error.
[[nodiscard]] entry_state judge_entry(std::string_view text);

}  // namespace repl
