#pragma once
#include <pyaichat/core/json.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the schema of an answer without the name of its dialect, which services do not know.
[[nodiscard]] inline json without_dialect(json schema) {
    if (schema.is_object()) {
        schema.erase("$schema");
    }
    return schema;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
