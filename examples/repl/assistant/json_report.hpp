#pragma once
#include <pyaichat/agent/answer.hpp>

#include <optional>
#include <string>

namespace repl {

namespace ai = pyaichat;

/// An answer as one line of JSON: `answer`, `reason`, `degraded`, `error` (null, or `code` and `message`), `steps`, `calls` (`name`, `ok`,
/// `code`, `ms`), `usage`, `cost_dollars` and `ms`.
[[nodiscard]] std::string json_report(const ai::answer& reply, ai::duration took);

/// The amount in dollars, or null if it is not known.
[[nodiscard]] ai::json in_dollars(std::optional<ai::money> amount);

/// The duration in milliseconds, rounded to three decimals.
[[nodiscard]] double milliseconds(ai::duration span) noexcept;

}  // namespace repl
