#pragma once
#include <pyaichat/config/config.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// One reason why a value does not fit a JSON Schema. The message tells a model how to correct its call.
struct schema_error {
    std::string path = {};     ///< JSON Pointer to the value
    std::string keyword = {};  ///< "type", "required", ...
    std::string message = {};

    friend bool operator==(const schema_error&, const schema_error&) = default;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
