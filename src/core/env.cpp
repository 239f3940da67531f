#include <pyaichat/core/env.hpp>

#include <cstdlib>

namespace pyaichat::inline v0 {

std::string env(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace pyaichat::inline v0
