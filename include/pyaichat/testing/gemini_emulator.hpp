#pragma once
#include <pyaichat/testing/gemini_reply.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>
#include <pyaichat/testing/service_emulator.hpp>

namespace pyaichat::inline PYAICHAT_ABI::testing {

using gemini_emulator_options = service_emulator_options<gemini_service>;

/// Emulates the Gemini Developer API; see `service_emulator`. Serves `generateContent`, `streamGenerateContent`, `countTokens`,
/// `GET models` and `GET models/{model}` under `v1`, `v1beta` and `v1alpha`. The script may also have replies for the methods that do not
/// generate.
using gemini_emulator = service_emulator<gemini_reply, gemini_service>;

extern template class service_emulator<gemini_reply, gemini_service>;

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
