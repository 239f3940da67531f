#include <pyaichat/agent/limits.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

result<void> check(const limits& value) {
    const auto refused = [](const char* field, const char* wanted) {
        return failure{.code = errc::invalid_argument,
                       .message = std::string("limits::") + field + " is out of range",
                       .hint = std::string("Set limits::") + field + " to " + wanted + "."};
    };
    constexpr const char* positive = "at least 1";
    constexpr const char* time = "a time above zero";
    constexpr const char* count = "zero or more";
    if (value.max_steps < 1) {
        return refused("max_steps", positive);
    }
    if (value.step_timeout <= duration::zero()) {
        return refused("step_timeout", time);
    }
    if (value.total_timeout <= duration::zero()) {
        return refused("total_timeout", time);
    }
    if (value.call_timeout <= duration::zero()) {
        return refused("call_timeout", time);
    }
    if (value.invalid_response_retries < 0) {
        return refused("invalid_response_retries", count);
    }
    if (value.transport_retries < 0) {
        return refused("transport_retries", count);
    }
    if (value.max_calls_per_step < 1) {
        return refused("max_calls_per_step", positive);
    }
    if (value.max_calls < 1) {
        return refused("max_calls", positive);
    }
    if (value.max_tokens_total < 0) {
        return refused("max_tokens_total", count);
    }
    if (value.max_repeats < 0) {
        return refused("max_repeats", count);
    }
    // A reply needs room to say at least that it was cut.
    if (value.max_reply_bytes != 0 && value.max_reply_bytes < 256) {
        return refused("max_reply_bytes", "at least 256, or 0 for no limit");
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
