#include <pyaichat/message/call_decision.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(call_decision::kind value) noexcept {
    switch (value) {
        case call_decision::kind::abstain: return "abstain";
        case call_decision::kind::allow: return "allow";
        case call_decision::kind::change: return "change";
        case call_decision::kind::pending: return "pending";
        case call_decision::kind::deny: return "deny";
    }
    return "unknown";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
