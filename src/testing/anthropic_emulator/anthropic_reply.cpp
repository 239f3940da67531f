#include <pyaichat/testing/anthropic_reply.hpp>

#include <pyaichat/testing/anthropic_request_checker.hpp>

namespace pyaichat::inline PYAICHAT_ABI::testing {

anthropic_reply anthropic_reply::text(std::string_view words) {
    return content(json::array({{{"type", "text"}, {"text", words}}}));
}

anthropic_reply anthropic_reply::calls(const std::vector<anthropic_call>& function_calls) {
    json blocks = json::array();
    for (const anthropic_call& call : function_calls) {
        blocks.push_back(
            {{"type", "tool_use"}, {"id", call.id}, {"name", call.name}, {"input", call.input}, {"caller", {{"type", "direct"}}}});
    }
    return content(std::move(blocks), "tool_use");
}

anthropic_reply anthropic_reply::content(json blocks, std::string_view stop_reason) {
    anthropic_reply out;
    out.content_ = std::move(blocks);
    out.stop_reason_ = stop_reason;
    return out;
}

anthropic_reply anthropic_reply::error(int status, std::string_view type, std::string_view message, json details) {
    return http(status, {{"Content-Type", "application/json"}}, dump_json(anthropic_error_body(type, message, std::move(details))));
}

anthropic_reply anthropic_reply::rate_limit(std::string_view retry_after) {
    anthropic_reply out = error(429, "rate_limit_error", "This request would exceed your rate limit.");
    if (!retry_after.empty()) {
        out.headers_.push_back({"retry-after", std::string(retry_after)});
    }
    return out;
}

anthropic_reply anthropic_reply::spend_limit() {
    return error(429, "rate_limit_error", "Your organization has reached its monthly limit.",
                 {{"error_code", "enforced_spend_limit_reached"}});
}

anthropic_reply anthropic_reply::overloaded() {
    return error(529, "overloaded_error", "Overloaded");
}

anthropic_reply anthropic_reply::http(int status, std::vector<http_header> headers, std::string body) {
    anthropic_reply out;
    out.form_ = form::body;
    out.status_ = status;
    out.headers_ = std::move(headers);
    out.body_ = std::move(body);
    return out;
}

anthropic_reply anthropic_reply::events(std::vector<json> all) {
    anthropic_reply out;
    out.form_ = form::events;
    out.events_ = std::move(all);
    return out;
}

anthropic_reply anthropic_reply::hang() {
    anthropic_reply out;
    out.form_ = form::hang;
    return out;
}

anthropic_reply anthropic_reply::reset() {
    anthropic_reply out;
    out.form_ = form::reset;
    return out;
}

anthropic_reply anthropic_reply::thinking(std::string_view words, std::string_view signature) && {
    content_.insert(content_.begin(), json{{"type", "thinking"}, {"thinking", words}, {"signature", signature}});
    return std::move(*this);
}

anthropic_reply anthropic_reply::redacted_thinking(std::string_view data) && {
    content_.insert(content_.begin(), json{{"type", "redacted_thinking"}, {"data", data}});
    return std::move(*this);
}

anthropic_reply anthropic_reply::stopping(std::string_view reason, json details) && {
    stop_reason_ = reason;
    stop_details_ = std::move(details);
    return std::move(*this);
}

anthropic_reply anthropic_reply::then_error(std::string_view type, std::string_view message) && {
    late_error_ = anthropic_error_body(type, message);
    return std::move(*this);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
