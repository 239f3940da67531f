#pragma once

namespace repl {

/// What `--help` prints: the commands and options that this build has.
[[nodiscard]] const char* usage_text() noexcept;

}  // namespace repl
