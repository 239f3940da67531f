#pragma once

namespace pyaichat::inline v0::gemini_codec {

/// Who wrote a wire form that may go back to Gemini (`wire_form::provider`).
inline constexpr const char* wire_provider = "gemini";

}  // namespace pyaichat::inline v0::gemini_codec
