// A host of `openai` alone: the name of the model comes from the options, and nothing is sent.
#include <pyaichat/openai/openai.hpp>

#include <cstdio>

namespace ai = pyaichat;

int main() {
    const auto profile = ai::openai_profile_named("ollama");
    if (!profile) {
        return 1;
    }
    const ai::openai provider({.model = "qwen3:8b", .profile = *profile});
    std::printf("%s at %s\n", provider.options().model.c_str(), provider.options().profile.base_url.c_str());
    return 0;
}
