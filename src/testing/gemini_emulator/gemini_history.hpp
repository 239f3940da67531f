#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/testing/gemini_profile.hpp>

#include <map>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The first broken rule of a conversation (wire document, section 10), in the service's words. `contents` has passed the shape check, and
/// no content or part in it is empty.
[[nodiscard]] std::optional<std::string> check_gemini_history(const json& contents, const gemini_profile& profile);

/// The first broken rule about thought signatures (section 9). `issued`: signature -> the part it was given out in.
[[nodiscard]] std::optional<std::string> check_gemini_signatures(const json& contents, const std::multimap<std::string, json>& issued);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
