#include <pyaichat/agent/basic_agent.hpp>

namespace ai = pyaichat;

struct not_quite {
    ai::result<ai::model_response> complete(const ai::model_request&);
};

void build() {
    ai::basic_agent fine{ai::no_provider{}, ai::no_capabilities{}};
#if defined(MISTAKE)
    ai::basic_agent wrong{not_quite{}, ai::no_capabilities{}};
#endif
}
