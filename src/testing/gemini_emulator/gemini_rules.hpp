#pragma once
/// The rules for a request that has passed the shape check.
#include <pyaichat/core/json.hpp>
#include <pyaichat/testing/gemini_profile.hpp>

#include "testing/gemini_emulator/gemini_shape.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Checks required fields, names and schemas (wire document, sections 3, 4, 5, 10.2). Returns all violations, with paths from the request.
[[nodiscard]] std::vector<gemini_violation> check_gemini_fields(const json& request);

/// The same check for a `countTokens` request, which has only contents.
[[nodiscard]] std::vector<gemini_violation> check_gemini_contents(const json& contents);

/// Checks the order of a conversation (section 10). Returns the service's message for the first violation. `contents` must have passed the
/// shape check, and no content or part in it may be empty.
[[nodiscard]] std::optional<std::string> check_gemini_history(const json& contents, const gemini_profile& profile);

/// Checks thought signatures (section 9). Returns the first violation. `issued` maps each signature to the part that it was issued in.
[[nodiscard]] std::optional<std::string> check_gemini_signatures(const json& contents, const std::multimap<std::string, json>& issued);

/// Checks type and data of the images of contents and of replies. Returns the first violation.
[[nodiscard]] std::optional<std::string> check_gemini_images(const json& contents);

/// The member `toolConfig.functionCallingConfig`, or JSON null.
[[nodiscard]] const json& calling_config(const json& request);

[[nodiscard]] bool declares_functions(const json& request);

/// Checks `generationConfig.responseJsonSchema` (section 4.3). Returns the first violation.
[[nodiscard]] std::optional<std::string> check_gemini_answer_schema(const json& schema);

/// Checks that the model supports what the request uses (sections 4 to 7, 15). Returns the first violation.
[[nodiscard]] std::optional<std::string> check_gemini_abilities(const json& request, std::string_view model, const gemini_profile& profile,
                                                                bool streamed);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
