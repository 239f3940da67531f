#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

struct args {
    std::string name = {};
#if defined(MISTAKE)
    static constexpr ai::about descriptions[] = {{"name", "who", 1, 100}};
#else
    static constexpr ai::about descriptions[] = {{"name", "who"}};
#endif
};

void declare() {
    auto greet = ai::capability("greet", "Greet.", [](const args&) {});
}
