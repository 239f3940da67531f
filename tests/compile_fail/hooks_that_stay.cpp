#include <pyaichat/agent/options.hpp>
#include <pyaichat/policy/borrow.hpp>

#include <mutex>

namespace ai = pyaichat;

/// Right, but it cannot be moved.
struct watch {
    std::mutex mutex = {};
    void on_event(const ai::event&) {}
};

void add(ai::agent_options& options, watch& mine) {
    options.hooks.push_back(ai::borrow(mine));
#if defined(MISTAKE)
    options.hooks.push_back(mine);
#endif
}
