#pragma once
#include <pyaichat/config/config.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// The name and description of one parameter of a capability, as the model sees them.
struct arg {
    std::string name = {};
    std::string description = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI
