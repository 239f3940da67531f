#include <pyaichat/testing/gemini_reply.hpp>

#include <pyaichat/testing/gemini_request_checker.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

json text_part(std::string_view words, std::string_view signature = {}) {
    json out = {{"text", std::string(words)}};
    if (!signature.empty()) {
        out["thoughtSignature"] = std::string(signature);
    }
    return out;
}

}  // namespace

gemini_reply gemini_reply::parts(json model_parts, std::string_view finish_reason) {
    gemini_reply out;
    out.steps_.push_back(std::move(model_parts));
    out.finish_reason_ = finish_reason;
    return out;
}

gemini_reply gemini_reply::text(std::string_view words, std::string_view signature) {
    return parts(json::array({text_part(words, signature)}));
}

gemini_reply gemini_reply::deltas(const std::vector<std::string>& pieces, std::string_view signature) {
    gemini_reply out;
    for (const std::string& piece : pieces) {
        out.steps_.push_back(json::array({text_part(piece)}));
    }
    if (!signature.empty()) {
        out.steps_.push_back(json::array({text_part("", signature)}));
    }
    return out;
}

gemini_reply gemini_reply::calls(const std::vector<gemini_call>& function_calls, std::string_view signature) {
    json all = json::array();
    for (const gemini_call& call : function_calls) {
        json part;
        json& body = part["functionCall"];
        body["name"] = call.name;
        if (!call.id.empty()) {
            body["id"] = call.id;
        }
        if (!call.args.is_null()) {
            body["args"] = call.args;
        }
        if (!signature.empty() && all.empty()) {
            part["thoughtSignature"] = std::string(signature);
        }
        all.push_back(std::move(part));
    }
    return parts(std::move(all));
}

gemini_reply gemini_reply::finish(std::string_view finish_reason, std::string_view finish_message) {
    return gemini_reply().finishing(finish_reason, finish_message);
}

gemini_reply gemini_reply::prompt_block(std::string_view block_reason) {
    gemini_reply out;
    out.prompt_feedback_["blockReason"] = std::string(block_reason);
    return out;
}

gemini_reply gemini_reply::document(json body) {
    return documents({std::move(body)});
}

gemini_reply gemini_reply::documents(std::vector<json> events) {
    gemini_reply out;
    out.form_ = form::documents;
    out.documents_ = std::move(events);
    return out;
}

gemini_reply gemini_reply::error(int code, std::string_view status, std::string_view message, json details) {
    gemini_reply out = document(gemini_error_body(code, status, message, std::move(details)));
    out.form_ = form::error;
    out.status_ = code;
    return out;
}

gemini_reply gemini_reply::rate_limit(std::string_view retry_delay, std::string_view quota_id) {
    const json violation = {{"quotaMetric", "generativelanguage.googleapis.com/generate_content_free_tier_requests"},
                            {"quotaId", std::string(quota_id)},
                            {"quotaValue", "2"}};
    const json quota = {{"@type", "type.googleapis.com/google.rpc.QuotaFailure"}, {"violations", json::array({violation})}};
    json details = json::array({quota});
    if (!retry_delay.empty()) {
        details.push_back(json{{"@type", "type.googleapis.com/google.rpc.RetryInfo"}, {"retryDelay", std::string(retry_delay)}});
    }
    return error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.",
                 std::move(details));
}

gemini_reply gemini_reply::rate_limit_in_text(std::string_view retry_delay) {
    return error(
        429, "RESOURCE_EXHAUSTED",
        "You exceeded your current quota, please check your plan and billing details.\nPlease retry in " + std::string(retry_delay) + ".");
}

gemini_reply gemini_reply::daily_quota() {
    return rate_limit("", "GenerateRequestsPerDayPerProjectPerModel-FreeTier");
}

gemini_reply gemini_reply::overloaded() {
    return error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.");
}

gemini_reply gemini_reply::html_error(int status) {
    const std::string number = std::to_string(status);
    return http(status, {{"Content-Type", "text/html; charset=UTF-8"}},
                "<!DOCTYPE html>\n<html lang=en>\n<title>Error " + number + "</title>\n<p><b>" + number +
                    ".</b> That is an error.\n<p>The server encountered a temporary error and could not complete your request.\n");
}

gemini_reply gemini_reply::http(int status, std::vector<http_header> headers, std::string body) {
    gemini_reply out;
    out.form_ = form::body;
    out.status_ = status;
    out.headers_ = std::move(headers);
    out.body_ = std::move(body);
    return out;
}

gemini_reply gemini_reply::raw(std::string bytes) {
    gemini_reply out;
    out.form_ = form::raw;
    out.body_ = std::move(bytes);
    out.then_ = ending::close;
    return out;
}

gemini_reply gemini_reply::hang() {
    gemini_reply out = raw({});
    out.then_ = ending::hang;
    return out;
}

gemini_reply gemini_reply::reset() {
    gemini_reply out = raw({});
    out.then_ = ending::reset;
    return out;
}

gemini_reply gemini_reply::thinking(std::string_view summary) && {
    json part = text_part(summary);
    part["thought"] = true;
    steps_.insert(steps_.begin(), json::array({std::move(part)}));
    return std::move(*this);
}

gemini_reply gemini_reply::and_part(json part) && {
    steps_.push_back(json::array({std::move(part)}));
    return std::move(*this);
}

gemini_reply gemini_reply::then_error(int code, std::string_view status, std::string_view message) && {
    late_error_ = late_error{code, gemini_error_body(code, status, message), false};
    return std::move(*this);
}

gemini_reply gemini_reply::then_bare_error(int code, std::string_view status, std::string_view message) && {
    late_error_ = late_error{code, gemini_error_body(code, status, message), true};
    return std::move(*this);
}

gemini_reply gemini_reply::header(std::string_view name, std::string_view value) && {
    headers_.push_back({std::string(name), std::string(value)});
    return std::move(*this);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
