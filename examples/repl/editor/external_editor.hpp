#pragma once
#include <pyaichat/core/result.hpp>

#include <string>

namespace repl {

/// Lets the person edit a text with $VISUAL or $EDITOR (`vi` without these), in a temporary file that only this user can read. Waits until
/// the editor ends. Returns the new text without its last line end. Fails if the editor cannot be started or ends with an error.
[[nodiscard]] pyaichat::result<std::string> edit_externally(const std::string& text);

}  // namespace repl
