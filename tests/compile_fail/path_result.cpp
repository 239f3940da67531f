#include <pyaichat/capability/function.hpp>

#include <filesystem>

namespace ai = pyaichat;

void declare() {
    auto fine = ai::capability("f", "F.", [] { return std::filesystem::path("a").string(); });
#if defined(MISTAKE)
    auto wrong = ai::capability("f", "F.", [] { return std::filesystem::path("a"); });
#endif
}
