#pragma once
#include "editor/edit_buffer.hpp"
#include "editor/key.hpp"

namespace repl {

/// Handles the keys that only move the cursor or change the text: motion, deletion, kill and yank, undo. Returns whether the key is one.
bool edit_by_key(const key& pressed, edit_buffer& buffer);

}  // namespace repl
