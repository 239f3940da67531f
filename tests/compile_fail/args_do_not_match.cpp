#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

void declare() {
    auto fine = ai::capability("heal", "Heal.", [](double points) { return points; }, ai::arg{"points", "how much"});
#if defined(MISTAKE)
    auto wrong = ai::capability("heal", "Heal.", [](double points) { return points; });
#endif
}
