#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

void declare() {
    auto fine = ai::capability("f", "F.", [](int value) { return value; }, ai::arg{"value"});
#if defined(MISTAKE)
    auto wrong = ai::capability("f", "F.", [](auto value) { return value; }, ai::arg{"value"});
#endif
}
