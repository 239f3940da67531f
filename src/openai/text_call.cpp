#include "openai/text_call.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

bool is_text_call(std::string_view text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 7> frames = {{
        {"<tool_call>", "</tool_call>"},
        {"<|tool_call|>", ""},
        {"<|python_tag|>", ""},
        {"[TOOL_CALLS]", ""},
        {"<function=", "</function>"},
        {"<function_call>", "</function_call>"},
        {"```tool_code", "```"},
    }};
    text = detail::trimmed(text);
    return std::any_of(frames.begin(), frames.end(), [text](const auto& frame) {
        return text.size() > frame.first.size() + frame.second.size() && text.starts_with(frame.first) && text.ends_with(frame.second);
    });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
