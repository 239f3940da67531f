#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Counted up when a reader of the format before could not read what is written now.
inline constexpr int journal_format = 3;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
