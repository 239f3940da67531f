#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the number of this process, which differs after a `fork`. Thread-safe.
[[nodiscard]] long process_id() noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
