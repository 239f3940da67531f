#pragma once
#include <pyaichat/core/json.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// An empty entry of `error.details`: `{"@type": "type.googleapis.com/google.rpc.<type>"}`.
[[nodiscard]] inline json error_detail(std::string_view type) {
    json out = json::object();
    out["@type"] = "type.googleapis.com/google.rpc." + std::string(type);
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
