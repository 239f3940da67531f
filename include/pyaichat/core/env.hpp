#pragma once
#include <string>

namespace pyaichat::inline v0 {

/// The environment variable `name`, or an empty string when it is not set. Call it while no other thread changes the environment.
[[nodiscard]] std::string env(const char* name);

}  // namespace pyaichat::inline v0
