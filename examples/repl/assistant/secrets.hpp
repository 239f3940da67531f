#pragma once
#include <string>
#include <string_view>

namespace repl {

/// Puts `***` in the place of a secret wherever it stands in the text. An empty secret is none.
void redact(std::string& text, std::string_view secret);

}  // namespace repl
