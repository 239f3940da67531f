#pragma once
#include <pyaichat/config/config.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::process {

/// Returns the name of a signal, such as "SIGTERM", or "signal 40".
[[nodiscard]] std::string signal_name(int number);

}  // namespace pyaichat::inline PYAICHAT_ABI::process
