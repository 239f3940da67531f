#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

struct leaf {
    int value = 0;
};
struct tree {
#if defined(MISTAKE)
    std::vector<tree> branches = {};
#else
    std::vector<leaf> branches = {};
#endif
};

void declare() {
    auto grown = ai::capability("grow", "Grow.", [](const tree&) {});
}
