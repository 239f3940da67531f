#pragma once
#include <string>

namespace pyaichat::inline v0 {

/// Name and description of one parameter of a capability, as the model sees them.
struct arg {
    std::string name = {};
    std::string description = {};
};

}  // namespace pyaichat::inline v0
