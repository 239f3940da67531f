#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <pyaichat/core/detail/names.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

// Stored documents have these words: an enumerator keeps its name.

std::string_view to_string(call_decision::kind value) noexcept {
    return detail::word_of(value);
}
std::string_view to_string(effects value) noexcept {
    return detail::word_of(value);
}
std::string_view to_string(finish_reason value) noexcept {
    return detail::word_of(value);
}
std::string_view to_string(provenance value) noexcept {
    return detail::word_of(value);
}
std::string_view to_string(reply_code code) noexcept {
    return detail::word_of(code);
}
std::string_view to_string(role value) noexcept {
    return detail::word_of(value);
}
std::string_view to_string(tool_mode value) noexcept {
    return detail::word_of(value);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
