#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

struct base {
    int count = 0;
};
#if defined(MISTAKE)
struct args : base {
    int more = 0;
};
#else
struct args {
    base inner = {};
    int more = 0;
};
#endif

void declare() {
    auto counted = ai::capability("f", "F.", [](const args&) {}, ai::arg{"all"});
}
