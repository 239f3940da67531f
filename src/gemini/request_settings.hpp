#pragma once
#include <pyaichat/gemini/gemini_options.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// The members of a request that follow from the options.
struct request_settings {
    json generation = json::object();  ///< `generationConfig`
    std::string generation_text = {};  ///< the same, followed by a comma; empty if there are no members
    std::string others = {};           ///< members that are the same in every request, each followed by a comma
    std::string tools = {};            ///< elements of `tools` beside the declared functions, separated by commas
    std::string tool_config = {};      ///< `toolConfig` of a request without functions, followed by a comma; may be empty
    std::string tool_members = {};     ///< members of `toolConfig` beside `functionCallingConfig`, each followed by a comma
};

/// Makes the failure for an option or a conversation that the service would refuse.
[[nodiscard]] failure invalid_request(std::string message, std::string hint);

/// Reads the options. Fails with `invalid_argument` for options that the service refuses for every model, and for raw members that
/// contradict the SDK.
[[nodiscard]] result<request_settings> read_settings(const gemini_options& options);

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
