#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Returns whether a whole text is a call that the server should have parsed, such as `<tool_call>{...}</tool_call>`. It must not be run:
/// the text may be quoted from anywhere.
[[nodiscard]] bool is_text_call(std::string_view text);

/// What to do about it, for `candidate::finish_message`.
inline constexpr std::string_view text_call_advice =
    "the server did not parse the model's function call: start it with a tool parser (llama.cpp: --jinja; vLLM: --enable-auto-tool-choice "
    "--tool-call-parser)";

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
