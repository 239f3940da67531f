#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

struct args {
    double points = 0;
#if defined(MISTAKE)
    static constexpr ai::about descriptions[] = {{"point", "how much"}};
#else
    static constexpr ai::about descriptions[] = {{"points", "how much"}};
#endif
};

void declare() {
    auto heal = ai::capability("heal", "Heal.", [](const args&) {});
}
