#include <pyaichat/core/failure.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(errc code) noexcept {
    switch (code) {
        case errc::internal: return "internal";
        case errc::invalid_argument: return "invalid_argument";
        case errc::invalid_state: return "invalid_state";
        case errc::name_clash: return "name_clash";
        case errc::not_found: return "not_found";
        case errc::not_allowed: return "not_allowed";
        case errc::busy: return "busy";
        case errc::timeout: return "timeout";
        case errc::cancelled: return "cancelled";
        case errc::connection_failed: return "connection_failed";
        case errc::rate_limited: return "rate_limited";
        case errc::quota_exhausted: return "quota_exhausted";
        case errc::unavailable: return "unavailable";
        case errc::authentication: return "authentication";
        case errc::permission_denied: return "permission_denied";
        case errc::unknown_model: return "unknown_model";
        case errc::request_rejected: return "request_rejected";
        case errc::bad_response: return "bad_response";
        case errc::too_large: return "too_large";
    }
    return "unknown";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
