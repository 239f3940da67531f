#pragma once
#include "message/json_fields.hpp"

#include <pyaichat/core/failure.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

[[nodiscard]] json written(const failure& error);
[[nodiscard]] failure read_failure(const json_fields& from);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
