#include <pyaichat/capability/any_capabilities.hpp>

namespace ai = pyaichat;

/// What it declares cannot be asked of a const one.
struct not_quite {
    ai::result<ai::capability_list> specs() { return ai::capability_list(); }
    void invoke(const ai::capability_call&, ai::capability_responder) {}
};

void build() {
    ai::any_capabilities fine{ai::no_capabilities{}};
#if defined(MISTAKE)
    ai::any_capabilities wrong{not_quite{}};
#endif
}
