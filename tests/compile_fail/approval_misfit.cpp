#include <pyaichat/agent/options.hpp>

namespace ai = pyaichat;

void decide(ai::agent_options& options) {
    options.approval = [](const ai::proposed_call&) { return ai::call_decision::allow(); };
#if defined(MISTAKE)
    options.approval = [](const ai::proposed_call&) { return true; };
#endif
}
