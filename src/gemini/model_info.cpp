#include <pyaichat/gemini/model_info.hpp>

#include "gemini/wire.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI {

bool gemini_model_calls_functions(std::string_view model) noexcept {
    constexpr std::array<std::string_view, 13> others = {"embedding",  "-image",   "-tts",         "-live", "native-audio",
                                                         "transcribe", "robotics", "computer-use", "aqa",   "imagen",
                                                         "veo",        "lyria",    "nano-banana"};
    model.remove_prefix(model.starts_with("models/") ? 7 : 0);
    return model.starts_with("gemini-") &&
           std::none_of(others.begin(), others.end(), [&](std::string_view word) { return model.find(word) != std::string_view::npos; });
}

namespace gemini_codec {

result<gemini_model_info> decode_model(const json& wire) {
    std::string_view name = string_member(wire, "name").value_or("");
    if (name.empty()) {
        return unreadable("the description of the model has no name");
    }
    name.remove_prefix(name.starts_with("models/") ? 7 : 0);
    gemini_model_info info;
    info.name = name;
    info.display_name = string_member(wire, "displayName").value_or("");
    info.input_token_limit = integer_of(wire, "inputTokenLimit").value_or(0);
    info.output_token_limit = integer_of(wire, "outputTokenLimit").value_or(0);
    info.thinks = bool_member(wire, "thinking").value_or(false);
    const json::array_t& methods = elements_of(wire, "supportedGenerationMethods");
    info.generates = std::find(methods.begin(), methods.end(), "generateContent") != methods.end();
    info.calls_functions = info.generates && gemini_model_calls_functions(info.name);
    return info;
}

}  // namespace gemini_codec

}  // namespace pyaichat::inline PYAICHAT_ABI
