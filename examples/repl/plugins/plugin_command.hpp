#pragma once
#include <span>

namespace repl {

/// `pyaichat plugin check|list|call ...`: tries plugins without a model. `arguments` are those after `plugin`. Returns the exit status: 0,
/// 1 if a plugin cannot be loaded or the call has failed, 2 for wrong usage.
[[nodiscard]] int plugin_command(std::span<char* const> arguments);

}  // namespace repl
