#include <pyaichat/agent/on.hpp>

namespace ai = pyaichat;

void observe() {
    ai::on fine{[](const ai::text_delta&) {}, [](const ai::event&) {}};
#if defined(MISTAKE)
    ai::on wrong{[](int) {}};
#endif
}
