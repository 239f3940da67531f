#pragma once
#include "terminal/entry_editor.hpp"

#include <memory>

namespace repl {

/// Makes an editor for a pipe, a file or a dumb terminal. `prompts`: whether somebody types, and sees prompts.
///
/// Without prompts it keeps the rules of pasted text: a block may contain empty lines. It ends at the next unindented line that does not
/// continue it, or at a line with a command such as `/mode`.
[[nodiscard]] std::unique_ptr<entry_editor> make_plain_editor(bool prompts);

}  // namespace repl
