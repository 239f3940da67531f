// A host of `anthropic` alone: the name of the model comes from the options, and nothing is sent.
#include <pyaichat/anthropic/anthropic.hpp>

#include <cstdio>

namespace ai = pyaichat;

int main() {
    const ai::anthropic provider({.api_key = "not-a-key", .thinking = {.type = "adaptive"}});
    std::printf("%s at %s\n", provider.options().model.c_str(), provider.options().base_url.c_str());
    return 0;
}
