#include <pyaichat/message/request.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(tool_mode value) noexcept {
    switch (value) {
        case tool_mode::automatic: return "automatic";
        case tool_mode::required: return "required";
        case tool_mode::none: return "none";
        case tool_mode::validated: return "validated";
    }
    return "unknown";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
