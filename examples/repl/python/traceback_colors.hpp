#pragma once
#include <string>
#include <string_view>

namespace repl {

/// Colours a traceback for a terminal: frames of the person's own code stand out, frames of libraries are dim, the error is red. Only adds
/// colour sequences (SGR) to the text.
[[nodiscard]] std::string color_traceback(std::string_view traceback);

}  // namespace repl
