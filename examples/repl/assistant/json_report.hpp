#pragma once
#include <pyaichat/agent/answer.hpp>

#include <string>

namespace repl {

namespace ai = pyaichat;

/// An answer as one line for machines: `answer`, `reason`, `degraded`, `error` (null, or `code` and `message`), `steps`, `calls`
/// (`name`, `ok`, `code`, `ms`), `usage` and `ms`.
[[nodiscard]] std::string json_report(const ai::answer& reply, ai::duration took);

/// Milliseconds with three decimals.
[[nodiscard]] double milliseconds(ai::duration span) noexcept;

}  // namespace repl
