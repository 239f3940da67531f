#pragma once
#include <pyaichat/config/config.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// Returns the environment variable `name`, or an empty string if it is not set. No other thread may change the environment meanwhile.
[[nodiscard]] std::string env(const char* name);

}  // namespace pyaichat::inline PYAICHAT_ABI
