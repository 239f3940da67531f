#pragma once
#include <string>
#include <string_view>

namespace repl {

/// Replaces each occurrence of the secret by `***`. Ignores an empty secret.
void redact(std::string& text, std::string_view secret);

}  // namespace repl
