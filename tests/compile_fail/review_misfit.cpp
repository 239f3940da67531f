#include <pyaichat/capability/any_capabilities.hpp>

namespace ai = pyaichat;

/// Takes one call instead of a batch, so it would never be asked.
struct careless : ai::no_capabilities {
    ai::call_decision review(const ai::proposed_call&) { return ai::call_decision::deny("no"); }
};

ai::any_capabilities offered() {
#if defined(MISTAKE)
    return careless{};
#else
    return ai::no_capabilities{};
#endif
}
