#pragma once

namespace repl {

/// The text of `--help`: the commands and options of this build.
[[nodiscard]] const char* usage_text() noexcept;

}  // namespace repl
