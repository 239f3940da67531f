#include <pyaichat/capability/function.hpp>

namespace ai = pyaichat;

struct unit {};

void declare() {
    auto fine = ai::capability("f", "F.", [](ai::json) {}, ai::arg{"unit"});
#if defined(MISTAKE)
    auto wrong = ai::capability("f", "F.", [](unit) {}, ai::arg{"unit"});
#endif
}
