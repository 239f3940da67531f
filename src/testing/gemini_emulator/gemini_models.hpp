#pragma once
/// The emulator's responses that need no script (wire document, sections 13 and 14).
#include <pyaichat/testing/gemini_request_checker.hpp>

#include "testing/gemini_emulator/gemini_target.hpp"

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// `GET models/{model}`; `model` may begin with `tunedModels/`.
[[nodiscard]] json gemini_model_document(std::string_view model);

/// `GET models`: the requested page.
[[nodiscard]] json gemini_model_list(const gemini_service& service, const gemini_target& target);

/// `countTokens`: a quarter of the characters of all strings in the request; at least 1.
[[nodiscard]] json gemini_token_count(const json& request);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
