#pragma once
#include <pyaichat/config/config.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// The environment variable `name`, or an empty string when it is not set. Call it while no other thread changes the environment.
[[nodiscard]] std::string env(const char* name);

}  // namespace pyaichat::inline PYAICHAT_ABI
