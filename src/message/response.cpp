#include <pyaichat/message/response.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(finish_reason value) noexcept {
    switch (value) {
        case finish_reason::stop: return "stop";
        case finish_reason::length: return "length";
        case finish_reason::blocked: return "blocked";
        case finish_reason::malformed: return "malformed";
        case finish_reason::unknown: return "unknown";
    }
    return "unknown";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
