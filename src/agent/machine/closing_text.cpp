#include "agent/machine/closing_text.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::string limit_sentence(stop_reason reason, const limits& bounds) {
    switch (reason) {
        case stop_reason::max_steps:
            return "There was no answer within the limit of " + counted(bounds.max_steps, "step") + " (max_steps).";
        case stop_reason::max_calls:
            return "There was no answer within the limit of " + counted(bounds.max_calls, "call") + " (max_calls).";
        case stop_reason::step_timeout:
            return "The model did not answer within the limit of " + describe(bounds.step_timeout) + " for one step (step_timeout).";
        case stop_reason::total_timeout:
            return "There was no answer within the time limit of " + describe(bounds.total_timeout) + " (total_timeout).";
        case stop_reason::repeating: return "The model kept making the same call with the same result, so it was stopped (max_repeats).";
        case stop_reason::token_budget:
            return "There was no answer within the budget of " + std::to_string(bounds.max_tokens_total) + " tokens (max_tokens_total).";
        case stop_reason::cost_budget: return "There was no answer within the budget of " + to_string(bounds.max_cost) + " (max_cost).";
        case stop_reason::max_recoveries:
            return "The program ended while this run was under way, more often than " + counted(bounds.max_recoveries, "time") +
                   " (max_recoveries), so it was not continued.";
        case stop_reason::cancelled: return "The run was cancelled before there was an answer.";
        default: return "The run ended without an answer (" + std::string(to_string(reason)) + ").";
    }
}

std::string provider_sentence(const failure& error) {
    const std::string when = error.retry_after ? " Try again in " + describe(*error.retry_after) + "." : "";
    if (!is_blank(error.hint)) {
        return repair_utf8(error.hint) + (error.hint.find("ry again") == std::string::npos ? when : "");
    }
    switch (error.code) {
        case errc::authentication: return "The service rejected the API key. Check the key that the provider was given.";
        case errc::permission_denied: return "The service does not allow this key to do that.";
        case errc::unknown_model: return "The service does not know this model. Choose another one.";
        case errc::rate_limited: return "The service is limiting requests." + (when.empty() ? " Try again shortly." : when);
        case errc::quota_exhausted: return "The quota for this key is used up. Try again when it has been renewed." + when;
        case errc::unavailable: return "The service is unavailable at the moment." + (when.empty() ? " Try again shortly." : when);
        case errc::connection_failed: return "The service could not be reached. Check the network and the address.";
        case errc::unreachable:
            return "The service cannot be reached with these settings. Check the address, the certificates and the proxy.";
        case errc::timeout: return "The service did not answer in time. Try again shortly.";
        case errc::request_rejected: return "The service refused the request as malformed.";
        case errc::bad_response: return "The service sent a response that cannot be read.";
        case errc::too_large: return "The service's response was larger than allowed.";
        default: return "The model call failed (" + std::string(to_string(error.code)) + ").";
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
