#include <pyaichat/pyaichat.hpp>

namespace ai = pyaichat;

/// Returns the response itself.
struct not_quite {
    ai::model_response complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) { return {}; }
};

void build() {
    ai::agent fine{ai::no_provider{}};
#if defined(MISTAKE)
    ai::agent wrong{not_quite{}};
#endif
}
