#include <pyaichat/testing/gemini_reply.hpp>

#include <pyaichat/testing/gemini_request_checker.hpp>

#include <utility>

namespace pyaichat::inline v0::testing {

namespace {

json with_envelope(json body) {
    body["usageMetadata"] =
        json::object({{"promptTokenCount", 120}, {"candidatesTokenCount", 32}, {"thoughtsTokenCount", 58}, {"totalTokenCount", 210}});
    body["modelVersion"] = "gemini-3.8-flash";
    body["responseId"] = "emulated";
    return body;
}

json with_candidate(json candidate) {
    json body = json::object();
    body["candidates"] = json::array();
    body["candidates"].push_back(std::move(candidate));
    return with_envelope(std::move(body));
}

json detail(const char* type) {
    json out = json::object();
    out["@type"] = std::string("type.googleapis.com/google.rpc.") + type;
    return out;
}

}  // namespace

gemini_reply gemini_reply::document(const json& body) {
    gemini_reply out;
    out.body_ = dump_json(body);
    return out;
}

gemini_reply gemini_reply::parts(json model_parts, std::string_view finish_reason) {
    json candidate = json::object();
    candidate["content"]["role"] = "model";
    candidate["content"]["parts"] = std::move(model_parts);
    candidate["finishReason"] = std::string(finish_reason);
    candidate["index"] = 0;
    return document(with_candidate(std::move(candidate)));
}

gemini_reply gemini_reply::text(std::string_view words, std::string_view signature) {
    json part = json::object();
    part["text"] = std::string(words);
    if (!signature.empty()) {
        part["thoughtSignature"] = std::string(signature);
    }
    json all = json::array();
    all.push_back(std::move(part));
    return parts(std::move(all));
}

gemini_reply gemini_reply::calls(const std::vector<gemini_call>& wanted, std::string_view signature) {
    json all = json::array();
    for (const gemini_call& one : wanted) {
        json part = json::object();
        json& call = part["functionCall"] = json::object();
        if (!one.id.empty()) {
            call["id"] = one.id;
        }
        call["name"] = one.name;
        call["args"] = one.args;
        if (!signature.empty() && all.empty()) {
            part["thoughtSignature"] = std::string(signature);
        }
        all.push_back(std::move(part));
    }
    return parts(std::move(all));
}

gemini_reply gemini_reply::finish(std::string_view finish_reason, std::string_view finish_message) {
    json candidate = json::object();
    candidate["finishReason"] = std::string(finish_reason);
    if (!finish_message.empty()) {
        candidate["finishMessage"] = std::string(finish_message);
    }
    return document(with_candidate(std::move(candidate)));
}

gemini_reply gemini_reply::prompt_block(std::string_view block_reason) {
    json body = json::object();
    body["promptFeedback"]["blockReason"] = std::string(block_reason);
    return document(with_envelope(std::move(body)));
}

gemini_reply gemini_reply::error(int code, std::string_view status, std::string_view message, json details) {
    gemini_reply out = document(gemini_error_body(code, status, message, std::move(details)));
    out.status_ = code;
    return out;
}

gemini_reply gemini_reply::rate_limit(std::string_view retry_delay, std::string_view quota_id) {
    json violation = json::object();
    violation["quotaMetric"] = "generativelanguage.googleapis.com/generate_content_free_tier_requests";
    violation["quotaId"] = std::string(quota_id);
    violation["quotaValue"] = "2";
    json quota = detail("QuotaFailure");
    quota["violations"] = json::array();
    quota["violations"].push_back(std::move(violation));
    json details = json::array();
    details.push_back(std::move(quota));
    if (!retry_delay.empty()) {
        json retry = detail("RetryInfo");
        retry["retryDelay"] = std::string(retry_delay);
        details.push_back(std::move(retry));
    }
    return error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.",
                 std::move(details));
}

gemini_reply gemini_reply::http(int status, std::vector<http_header> headers, std::string body) {
    gemini_reply out;
    out.status_ = status;
    out.headers_ = std::move(headers);
    out.body_ = std::move(body);
    return out;
}

gemini_reply gemini_reply::raw(std::string bytes) {
    gemini_reply out;
    out.raw_ = true;
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

gemini_reply gemini_reply::after(duration delay) && {
    delay_ = delay;
    return std::move(*this);
}

gemini_reply gemini_reply::dripping(std::size_t bytes, duration pause) && {
    piece_ = bytes;
    pause_ = pause;
    return std::move(*this);
}

gemini_reply gemini_reply::cut_after(std::size_t body_bytes) && {
    body_limit_ = body_bytes;
    then_ = ending::close;
    return std::move(*this);
}

gemini_reply gemini_reply::reset_after(std::size_t body_bytes) && {
    body_limit_ = body_bytes;
    then_ = ending::reset;
    return std::move(*this);
}

gemini_reply gemini_reply::stall_after(std::size_t body_bytes) && {
    body_limit_ = body_bytes;
    then_ = ending::hang;
    return std::move(*this);
}

gemini_reply gemini_reply::then_close() && {
    then_ = ending::close;
    return std::move(*this);
}

}  // namespace pyaichat::inline v0::testing
