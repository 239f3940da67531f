#pragma once
#include <pyaichat/policy/model_provider.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What was shown to one sink, shown to another.
inline void pass_on(const delta_sink& out, delta_sink::kind what, std::string_view piece) {
    switch (what) {
        case delta_sink::kind::text: out.text(piece); break;
        case delta_sink::kind::thought: out.thought(piece); break;
        case delta_sink::kind::restart: out.restart(); break;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
