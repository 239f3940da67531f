#pragma once
#include <pyaichat/config/config.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

/// Why a value does not fit, in the terms of JSON Schema, written so that a model can mend its call.
struct schema_error {
    std::string path = {};     ///< JSON Pointer of the value
    std::string keyword = {};  ///< "type", "required", ...
    std::string message = {};

    friend bool operator==(const schema_error&, const schema_error&) = default;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
