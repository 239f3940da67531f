#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Members of a request that the host gives in the service's own form, sorted by the place where they are merged.
struct raw_members {
    json tools = json::array();         ///< appended to the tool that holds the declared functions
    json safety = json::array();        ///< appended to `safetySettings`
    json tool_config = json::object();  ///< members of `toolConfig`
    json generation = json::object();   ///< members of `generationConfig`
    json other = json::object();        ///< members that the SDK does not know
};

/// Sorts `gemini_options::raw_members`; see there. Names become camelCase; null members are left out. Fails with `invalid_argument` for a
/// member that the SDK writes itself, that is given in two spellings, or that must be a list or an object and is not.
[[nodiscard]] result<raw_members> sort_raw_members(const json& given);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
