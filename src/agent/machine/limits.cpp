#include <pyaichat/agent/limits.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

result<void> check(const limits& value) {
    constexpr const char* positive = "at least 1";
    constexpr const char* time = "a time above zero";
    constexpr const char* count = "zero or more";
    const struct {
        const char* field;
        bool fits;
        const char* range;
    } rules[] = {
        {"max_steps", value.max_steps >= 1, positive},
        {"step_timeout", value.step_timeout > duration::zero(), time},
        {"total_timeout", value.total_timeout > duration::zero(), time},
        {"call_timeout", value.call_timeout > duration::zero(), time},
        {"invalid_response_retries", value.invalid_response_retries >= 0, count},
        {"transport_retries", value.transport_retries >= 0, count},
        {"max_calls_per_step", value.max_calls_per_step >= 1, positive},
        {"max_calls", value.max_calls >= 1, positive},
        {"max_tokens_total", value.max_tokens_total >= 0, count},
        {"max_cost", value.max_cost >= money{}, count},
        {"max_repeats", value.max_repeats >= 0, count},
        {"parallel_reads", value.parallel_reads >= 1, positive},
        {"max_recoveries", value.max_recoveries >= 0, count},
        {"approval_timeout", !value.approval_timeout || *value.approval_timeout > duration::zero(), time},
        {"max_images", value.max_images >= 0, count},
        // A shortened reply needs room for its `truncated` member.
        {"max_reply_bytes", value.max_reply_bytes == 0 || value.max_reply_bytes >= 256, "at least 256, or 0 for no limit"},
    };
    for (const auto& rule : rules) {
        if (!rule.fits) {
            return failure{.code = errc::invalid_argument,
                           .message = std::string("limits::") + rule.field + " is out of range",
                           .hint = std::string("Set limits::") + rule.field + " to " + rule.range + "."};
        }
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
