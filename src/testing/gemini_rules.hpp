#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline v0::testing {

/// What is required and what a name or schema may be (wire document, sections 3, 4, 5, 10.2): one line for each finding, in one text.
[[nodiscard]] std::optional<std::string> check_gemini_fields(const json& request);

/// What the models from 3.6 on can do (sections 4 to 7): the first thing that they cannot.
[[nodiscard]] std::optional<std::string> check_gemini_abilities(const json& request, std::string_view model);

}  // namespace pyaichat::inline v0::testing
