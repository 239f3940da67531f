#include <pyaichat/agent/typed_run.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

errc code_of(stop_reason reason) {
    switch (reason) {
        case stop_reason::step_timeout:
        case stop_reason::total_timeout: return errc::timeout;
        case stop_reason::cancelled: return errc::cancelled;
        case stop_reason::blocked: return errc::not_allowed;
        case stop_reason::unanswered: return errc::not_found;
        case stop_reason::max_steps:
        case stop_reason::max_calls:
        case stop_reason::token_budget:
        case stop_reason::cost_budget:
        case stop_reason::max_recoveries: return errc::too_large;
        case stop_reason::provider_failed: return errc::unavailable;
        case stop_reason::rate_limited: return errc::rate_limited;
        case stop_reason::complete:
        case stop_reason::awaiting_approval:
        case stop_reason::misconfigured: return errc::invalid_state;
        case stop_reason::truncated:
        case stop_reason::invalid_response:
        case stop_reason::repeating: return errc::bad_response;
    }
    return errc::internal;
}

}  // namespace

failure no_value(const answer& reply) {
    if (reply.error) {
        return *reply.error;
    }
    if (reply.reason == stop_reason::complete) {
        return {.code = errc::invalid_state,
                .message = "the question of this run had no schema, so its answer has no value",
                .hint = "Ask by `ask_for` or `ask_json`."};
    }
    return {.code = code_of(reply.reason),
            .message = "the run ended without a value (" + std::string(to_string(reply.reason)) + ")",
            .hint = reply.text};
}

failure refuse_value(answer& reply, const schema_error& misfit) {
    failure why{.code = errc::bad_response,
                .message = "the answer satisfies its schema, but cannot be decoded: " +
                           (misfit.path.empty() ? std::string("it") : "`" + misfit.path + "`") + " " + misfit.message};
    reply.reason = stop_reason::invalid_response;
    reply.error = why;
    reply.value.reset();
    reply.text = "The model's answer could not be used: " + why.message + ".";
    return why;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
