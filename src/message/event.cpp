#include <pyaichat/message/event.hpp>

#include <array>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view event_name(const event& value) noexcept {
    // In the order of the variant.
    static constexpr std::array<std::string_view, std::variant_size_v<event_data>> names{
        "run_started",  "step_started", "text_delta",    "thought_delta",   "step_withdrawn", "calls_proposed", "call_denied",
        "call_started", "call_output",  "call_finished", "retry_scheduled", "usage_updated",  "step_finished",  "run_finished"};
    return names[value.data.index()];
}

}  // namespace pyaichat::inline PYAICHAT_ABI
