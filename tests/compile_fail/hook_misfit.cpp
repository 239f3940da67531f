#include <pyaichat/agent/options.hpp>

namespace ai = pyaichat;

struct watch {
    ai::call_decision before_call(const ai::proposed_call&) { return {}; }
    void on_event(const ai::event&) {}
};

/// What it returns is no decision, so it would never be asked.
struct careless {
    bool before_call(const ai::proposed_call&) { return false; }
    void on_event(const ai::event&) {}
};

void add(ai::agent_options& options) {
    options.hooks.push_back(watch{});
#if defined(MISTAKE)
    options.hooks.push_back(careless{});
#endif
}
