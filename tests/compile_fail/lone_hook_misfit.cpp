#include <pyaichat/agent/options.hpp>

namespace ai = pyaichat;

/// Its only member is no hook.
struct careless {
    bool before_call(const ai::proposed_call&) { return false; }
};

void add(ai::agent_options& options) {
#if defined(MISTAKE)
    options.hooks = {careless{}};
#endif
    options.hooks.clear();
}
