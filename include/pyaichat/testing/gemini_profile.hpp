#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The behaviour and rules of one model generation (wire document, section 17). The default is the strictest generation in use, 3.8.
struct gemini_profile {
    std::string name = "3.8";
    bool emits_call_ids = true;                ///< if false, the ids of scripted calls are left out
    bool requires_id_echo = true;              ///< a function response must repeat the id of its call
    bool requires_signatures = true;           ///< thought signatures, on the first call of each step of the current turn
    bool takes_response_parts = true;          ///< media in `functionResponse.parts`
    bool takes_function_role = false;          ///< `function` instead of `user` for function responses
    bool takes_model_last = false;             ///< a history may end with a model content
    bool takes_parts_after_responses = false;  ///< text or media after the function responses of the last content
    bool takes_thinking_budget = true;
    bool takes_thinking_level = true;
    bool takes_minimal_thinking = false;
    bool takes_json_with_functions = true;      ///< JSON output beside declared functions, in mode AUTO
    bool takes_builtins_with_functions = true;  ///< when `includeServerSideToolInvocations` is set
    bool takes_penalties = false;
};

/// Returns the profile of a version from 2.5 to 4: "2.5", "3", "3.1", "3.8". Fails with `invalid_argument`.
[[nodiscard]] result<gemini_profile> gemini_profile_of_version(std::string_view version);

/// Returns the profile for a model name, with or without `models/`: "gemini-3.5-flash" has the profile 3.5. A name without a version
/// ("gemini-flash-latest") has the profile 3.8. `pro` models refuse the thinking level MINIMAL.
[[nodiscard]] gemini_profile gemini_profile_of_model(std::string_view model);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
