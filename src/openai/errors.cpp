#include "openai/errors.hpp"

#include "net/retry_delay.hpp"
#include "openai/wire.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

/// The contents of an error document.
struct service_error {
    int status = 0;  ///< that the document names; 0 = none
    std::string message = {};
    std::string type = {};
    std::string code = {};
    std::string failed_generation = {};  ///< the call that the service could not read
    std::optional<duration> retry_after = {};
    std::optional<bool> should_retry = {};
};

bool mentions(std::string_view text, std::initializer_list<std::string_view> pieces) {
    return std::any_of(pieces.begin(), pieces.end(), [text](std::string_view piece) { return text.find(piece) != text.npos; });
}

/// The messages of a list of validation errors: `[{"loc": [...], "msg": "..."}]`.
std::string list_text(const json& list) {
    std::string out;
    for (const json& entry : list) {
        const std::string text = as_string(entry) ? std::string(*as_string(entry)) : string_of(entry, "msg");
        out += (out.empty() || text.empty() ? "" : "; ") + (text.empty() ? std::string() : text);
    }
    return out;
}

std::string text_member(const json& object, const char* name) {
    const json* member = find_member(object, name);
    if (member == nullptr) {
        return {};
    }
    return member->is_array() ? list_text(*member) : std::string(as_string(*member).value_or(""));
}

/// Reads any of the documents of section 7.1.
service_error read_error(const json& document) {
    const json& object = document.is_array() && !document.empty() ? document.front() : document;
    const json* member = find_member(object, "error");
    const json& error = member != nullptr && member->is_object() ? *member : object;
    service_error out;
    out.message = member != nullptr && member->is_string() ? std::string(*as_string(*member)) : text_member(error, "message");
    if (out.message.empty()) {
        out.message = text_member(error, "detail");
    }
    if (const json* metadata = find_member(error, "metadata")) {
        const std::string raw = string_of(*metadata, "raw");
        out.message += raw.empty() ? "" : ": " + raw;
    }
    out.type = string_of(error, "type");
    out.code = string_of(error, "code");
    out.failed_generation = string_of(error, "failed_generation");
    for (const char* name : {"code", "status", "raw_status_code"}) {
        const std::int64_t number = integer_member(error, name).value_or(0);
        if (number >= 400 && number < 600) {
            out.status = static_cast<int>(number);
            break;
        }
    }
    out.retry_after = net::delay_in_words(out.message);
    return out;
}

void read_headers(std::span<const http_header> headers, std::chrono::system_clock::time_point now, service_error& out) {
    const auto header = [&](std::string_view name) -> std::string_view {
        const auto at = std::find_if(headers.begin(), headers.end(),
                                     [&](const http_header& one) { return detail::equals_ignoring_case(one.name, name); });
        return at != headers.end() ? std::string_view(at->value) : std::string_view();
    };
    if (const std::string_view retry = header("x-should-retry"); retry == "true" || retry == "false") {
        out.should_retry = retry == "true";
    }
    if (auto wait = net::parse_duration(std::string(header("retry-after-ms")) + "s")) {
        out.retry_after = *wait / 1000;
        return;
    }
    if (auto wait = net::parse_retry_after(header("retry-after"), now)) {
        out.retry_after = wait;
        return;
    }
    for (const std::string kind : {"requests", "tokens"}) {
        if (header("x-ratelimit-remaining-" + kind) == "0") {
            const auto wait = net::parse_compound_duration(header("x-ratelimit-reset-" + kind));
            out.retry_after = wait && (!out.retry_after || *wait > *out.retry_after) ? wait : out.retry_after;
        }
    }
}

bool is_context_error(const service_error& error) {
    return error.code == "context_length_exceeded" || error.type == "exceed_context_size_error" ||
           mentions(error.message, {"maximum context length", "exceeds the available context size", "context window"});
}

bool is_model_error(int status, const service_error& error) {
    return error.code == "model_not_found" || error.type == "invalid_model" ||
           mentions(error.message, {"is not a valid model ID", "The supported API model names are"}) ||
           (status == 404 && mentions(error.message, {"model '", "The model `", "does not exist"}));
}

errc code_of(int status, const service_error& error) {
    if (status == 401 || error.code == "invalid_api_key" || error.type == "authentication_error") {
        return errc::authentication;
    }
    if (status == 402 || error.code == "insufficient_quota" || error.type == "insufficient_quota") {
        return errc::quota_exhausted;
    }
    if (is_context_error(error) || status == 413) {
        return errc::too_large;
    }
    if (status == 429) {
        return error.should_retry == false ? errc::quota_exhausted : errc::rate_limited;
    }
    if (error.should_retry) {
        return *error.should_retry ? errc::unavailable : errc::request_rejected;
    }
    if (is_model_error(status, error)) {
        return errc::unknown_model;
    }
    if (status == 403) {
        return errc::permission_denied;
    }
    if (status == 500 && mentions(error.message, {"--jinja", "template", "grammar"})) {
        return errc::request_rejected;  // a repetition changes nothing
    }
    if (status == 408 || status == 409 || status >= 500) {
        return errc::unavailable;
    }
    return status >= 400 ? errc::request_rejected : errc::bad_response;
}

std::string named(std::string_view lead, std::string_view variable, std::string_view end = ".") {
    return variable.empty() ? std::string() : std::string(lead).append(variable).append(end);
}

/// The service distinguishes these cases only by the message.
std::string rejection_hint(int status, const service_error& error, const error_style& style) {
    if (status == 404) {
        return "The service does not know this address. Check the base URL, which usually ends in /v1" +
               named(" (", style.url_variable, ")") + ".";
    }
    if (mentions(error.message, {"reasoning_effort"})) {
        return "The model takes functions only on the Responses API, or only without reasoning. Choose another model" +
               named(" with ", style.names.model_variable, "") + ".";
    }
    if (mentions(error.message, {"does not support tools"})) {
        return "The model cannot call functions. Choose another one" + named(" with ", style.names.model_variable, "") + ".";
    }
    if (mentions(error.message, {"--enable-auto-tool-choice", "--jinja"})) {
        return "The server does not parse function calls. Start it with the options that its message names.";
    }
    return "The service refused the request.";
}

std::string hint_for(const failure& outcome, int status, const service_error& error, const error_style& style) {
    switch (outcome.code) {
        case errc::permission_denied:
            return "The API key may not use this service or model." +
                   named(" Check the project that the key in ", style.names.key_variable, " belongs to.");
        case errc::quota_exhausted:
            if (error.should_retry == false) {
                return "The service limits requests and says that a retry does not help. Try again later, or check the account's limits.";
            }
            return "The credit or quota of the API key's account is used up. Check its plan and billing.";
        case errc::too_large:
            return "The conversation is too large for the model. Ask a smaller question, start a new conversation, or raise the context "
                   "size of "
                   "the server.";
        case errc::request_rejected: return rejection_hint(status, error, style);
        case errc::unavailable:
            if (mentions(error.message, {"Loading model"})) {
                return "The server is still loading the model; try again shortly.";
            }
            return net::common_hint(outcome, status, style.names);
        default: return net::common_hint(outcome, status, style.names);
    }
}

bool is_blocked_prompt(int status, const service_error& error) {
    return status < 500 && (error.code == "content_filter" || error.code == "content_policy_violation");
}

result<model_response> to_result(int status, const service_error& error, std::string_view body, const error_style& style) {
    model_response response;
    if (is_blocked_prompt(status, error)) {
        response.prompt_block = error.code;
        return response;
    }
    const std::vector<std::string>& malformed = style.profile->malformed_call_codes;
    if (!error.code.empty() && std::find(malformed.begin(), malformed.end(), error.code) != malformed.end()) {
        candidate& one = response.candidates.emplace_back();
        one.finish = finish_reason::malformed;
        one.finish_text = error.code;
        one.finish_message = error.failed_generation.empty() ? error.message : error.message + " The call was: " + error.failed_generation;
        return response;
    }
    failure out;
    out.code = code_of(status, error);
    out.retry_after = error.retry_after;
    out.hint = hint_for(out, status, error, style);
    const std::string& label = !error.code.empty() ? error.code : error.type;
    out.message = net::refusal_message(status, label, error.message.empty() ? body : std::string_view(error.message), style.names.secret);
    return out;
}

}  // namespace

bool is_error(const json& document) {
    const json& object = document.is_array() && document.size() == 1 ? document.front() : document;
    const json* error = find_member(object, "error");
    if (error != nullptr && !error->is_null()) {
        return error->is_object() || error->is_string();
    }
    return string_member(object, "object") == "error" ||
           (find_member(object, "detail") != nullptr && find_member(object, "choices") == nullptr);
}

result<model_response> decode_refusal(int status, std::string_view body, std::span<const http_header> headers, const error_style& style,
                                      std::chrono::system_clock::time_point now) {
    service_error error;
    if (const std::optional<json> document = net::parse_refusal(body); document) {
        error = read_error(*document);
    }
    read_headers(headers, now, error);
    return to_result(status, error, body, style);
}

result<model_response> decode_error_document(const json& document, const error_style& style) {
    const service_error error = read_error(document);
    const bool limited = error.code == "insufficient_quota" || error.code == "rate_limit_exceeded" || error.code == "slow_down";
    const bool refused = error.type == "invalid_request_error" || error.code == "invalid_prompt";
    const int status = error.status != 0 ? error.status : limited ? 429 : refused ? 400 : 500;
    return to_result(status, error, dump_json(document), style);
}

bool demands_no_reasoning(const failure& error) {
    return error.code == errc::request_rejected && mentions(error.message, {"Function tools with reasoning_effort are not supported"});
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
