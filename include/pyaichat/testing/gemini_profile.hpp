#pragma once
#include <pyaichat/core/result.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What one generation of models does and insists on. (Wire document, section 17; the default is the strictest one in use, 3.8.)
struct gemini_profile {
    std::string name = "3.8";
    bool emits_call_ids = true;                ///< otherwise the ids of scripted calls are left out
    bool requires_id_echo = true;              ///< a function response repeats the id of its call
    bool requires_signatures = true;           ///< on the first call of each step of the current turn
    bool takes_response_parts = true;          ///< media in `functionResponse.parts`
    bool takes_function_role = false;          ///< `function` instead of `user` for function responses
    bool takes_model_last = false;             ///< a history that ends with a model content
    bool takes_parts_after_responses = false;  ///< text or media after the function responses of the last content
    bool takes_thinking_budget = true;
    bool takes_thinking_level = true;
    bool takes_minimal_thinking = false;
    bool takes_json_with_functions = true;      ///< JSON output beside declared functions, in mode AUTO
    bool takes_builtins_with_functions = true;  ///< when `includeServerSideToolInvocations` is set
    bool takes_penalties = false;
};

/// The profile of a version: "2.5", "3", "3.1", "3.5", "3.6", "3.8", "4". Fails with `invalid_argument`.
[[nodiscard]] result<gemini_profile> gemini_profile_of_version(std::string_view version);

/// The profile that the name of a model stands for, with or without `models/`: "gemini-3.5-flash" is of 3.5. An alias without a version
/// ("gemini-flash-latest") counts as 3.8. The `pro` models refuse the thinking level MINIMAL.
[[nodiscard]] gemini_profile gemini_profile_of_model(std::string_view model);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
