#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/event.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <pyaichat/core/detail/names.hpp>

#include <array>

namespace pyaichat::inline PYAICHAT_ABI {

// Stored documents contain these names: do not rename an enumerator.

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
std::string_view to_string(stop_reason reason) noexcept {
    return detail::word_of(reason);
}
std::string_view to_string(tool_mode value) noexcept {
    return detail::word_of(value);
}

std::string_view event_name(const event& value) noexcept {
    // In the order of the variant.
    static constexpr std::array<std::string_view, std::variant_size_v<event_data>> names{
        "run_started",   "step_started",    "text_delta",    "thought_delta", "step_withdrawn",
        "partial_value", "calls_proposed",  "call_denied",   "call_started",  "call_output",
        "call_finished", "retry_scheduled", "usage_updated", "step_finished", "run_finished"};
    return names[value.data.index()];
}

}  // namespace pyaichat::inline PYAICHAT_ABI
