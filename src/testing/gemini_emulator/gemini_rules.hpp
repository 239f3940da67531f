#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/testing/gemini_profile.hpp>

#include "testing/gemini_emulator/gemini_shape.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What is required and what a name or schema may be (wire document, sections 3, 4, 5, 10.2): all findings, under paths from the request.
[[nodiscard]] std::vector<gemini_violation> check_gemini_fields(const json& request);

/// The same for a request that only has contents, as `countTokens` takes it.
[[nodiscard]] std::vector<gemini_violation> check_gemini_contents(const json* contents);

/// Whether a calling configuration comes without anything to call.
[[nodiscard]] bool calls_nothing(const json& request);

/// What the models of a profile can do (sections 4 to 7, 15): the first thing that they cannot.
[[nodiscard]] std::optional<std::string> check_gemini_abilities(const json& request, std::string_view model, const gemini_profile& profile,
                                                                bool streamed);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
