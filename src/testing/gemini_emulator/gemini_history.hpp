#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/testing/gemini_profile.hpp>

#include <map>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Checks the order of a conversation (wire document, section 10). Returns the service's message for the first violation. `contents` must
/// have passed the shape check, and no content or part in it may be empty.
[[nodiscard]] std::optional<std::string> check_gemini_history(const json& contents, const gemini_profile& profile);

/// Checks thought signatures (section 9). Returns the first violation. `issued` maps each signature to the part that it was issued in.
[[nodiscard]] std::optional<std::string> check_gemini_signatures(const json& contents, const std::multimap<std::string, json>& issued);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
