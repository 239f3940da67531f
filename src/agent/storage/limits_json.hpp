#pragma once
#include "message/json_fields.hpp"

#include <pyaichat/agent/limits.hpp>
#include <pyaichat/message/usage.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

[[nodiscard]] json written(const limits& bounds);
[[nodiscard]] limits read_limits(const json_fields& from);

[[nodiscard]] json written(const token_usage& usage);
[[nodiscard]] token_usage read_usage(const json_fields& from);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
