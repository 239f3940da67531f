#include <pyaichat/message/stop_reason.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(stop_reason reason) noexcept {
    switch (reason) {
        case stop_reason::complete: return "complete";
        case stop_reason::truncated: return "truncated";
        case stop_reason::blocked: return "blocked";
        case stop_reason::max_steps: return "max_steps";
        case stop_reason::max_calls: return "max_calls";
        case stop_reason::step_timeout: return "step_timeout";
        case stop_reason::total_timeout: return "total_timeout";
        case stop_reason::invalid_response: return "invalid_response";
        case stop_reason::repeating: return "repeating";
        case stop_reason::token_budget: return "token_budget";
        case stop_reason::provider_failed: return "provider_failed";
        case stop_reason::rate_limited: return "rate_limited";
        case stop_reason::cancelled: return "cancelled";
        case stop_reason::awaiting_approval: return "awaiting_approval";
        case stop_reason::misconfigured: return "misconfigured";
    }
    return "unknown";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
