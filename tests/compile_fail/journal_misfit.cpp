#include <pyaichat/agent/options.hpp>

namespace ai = pyaichat;

struct not_quite {
    bool append(const ai::journal_record&) { return true; }
};

void keep(ai::agent_options& options) {
    options.journal = ai::no_journal{};
#if defined(MISTAKE)
    options.journal = not_quite{};
#endif
}
