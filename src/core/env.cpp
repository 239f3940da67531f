#include <pyaichat/core/env.hpp>

#include <cstdlib>

namespace pyaichat::inline PYAICHAT_ABI {

std::string env(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
