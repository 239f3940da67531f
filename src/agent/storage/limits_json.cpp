#include "agent/storage/limits_json.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pyaichat::inline PYAICHAT_ABI::detail {

json written(const limits& bounds) {
    json out = json::object();
    out["max_steps"] = bounds.max_steps;
    out["step_timeout"] = bounds.step_timeout.count();
    out["total_timeout"] = bounds.total_timeout.count();
    out["invalid_response_retries"] = bounds.invalid_response_retries;
    out["transport_retries"] = bounds.transport_retries;
    out["call_timeout"] = bounds.call_timeout.count();
    out["max_calls_per_step"] = bounds.max_calls_per_step;
    out["max_calls"] = bounds.max_calls;
    out["max_reply_bytes"] = std::min<std::uint64_t>(bounds.max_reply_bytes, std::numeric_limits<std::int64_t>::max());
    out["max_tokens_total"] = bounds.max_tokens_total;
    out["max_repeats"] = bounds.max_repeats;
    return out;
}

limits read_limits(const json_fields& from) {
    return {.max_steps = from.count("max_steps"),
            .step_timeout = from.span("step_timeout"),
            .total_timeout = from.span("total_timeout"),
            .invalid_response_retries = from.count("invalid_response_retries"),
            .transport_retries = from.count("transport_retries"),
            .call_timeout = from.span("call_timeout"),
            .max_calls_per_step = from.count("max_calls_per_step"),
            .max_calls = from.count("max_calls"),
            .max_reply_bytes = static_cast<std::size_t>(from.integer("max_reply_bytes")),
            .max_tokens_total = from.integer("max_tokens_total"),
            .max_repeats = from.count("max_repeats")};
}

json written(const token_usage& usage) {
    json out = json::object();
    // What a service counts is not to be trusted.
    out["input_tokens"] = std::max<std::int64_t>(usage.input_tokens, 0);
    out["output_tokens"] = std::max<std::int64_t>(usage.output_tokens, 0);
    out["cached_tokens"] = std::max<std::int64_t>(usage.cached_tokens, 0);
    out["thought_tokens"] = std::max<std::int64_t>(usage.thought_tokens, 0);
    return out;
}

token_usage read_usage(const json_fields& from) {
    return {.input_tokens = from.integer("input_tokens"),
            .output_tokens = from.integer("output_tokens"),
            .cached_tokens = from.integer("cached_tokens"),
            .thought_tokens = from.integer("thought_tokens")};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
