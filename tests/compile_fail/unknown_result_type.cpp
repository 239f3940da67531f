#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

struct unit {};

void declare() {
    auto fine = ai::capability("f", "F.", [] { return ai::result<int>(1); });
#if defined(MISTAKE)
    auto wrong = ai::capability("f", "F.", [] { return unit(); });
#endif
}
