#include "anthropic/errors.hpp"

#include "anthropic/wire.hpp"
#include "net/retry_delay.hpp"

#include <pyaichat/anthropic/codec.hpp>
#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

/// The contents of an error document, and of the headers beside it.
struct service_error {
    std::string type = {};
    std::string cause = {};  ///< `details.error_code`: the stable name of the cause
    std::string message = {};
    std::string request_id = {};
    std::optional<duration> retry_after = {};
    std::optional<bool> should_retry = {};
};

bool has_words(std::string_view text, std::string_view piece) noexcept {
    return text.find(piece) != std::string_view::npos;
}

/// The status that an error type means. 0 = unknown, or too general to overrule the status of the response.
int status_of(std::string_view type) {
    constexpr std::array<std::pair<std::string_view, int>, 8> types = {{
        {"authentication_error", 401},
        {"billing_error", 402},
        {"permission_error", 403},
        {"not_found_error", 404},
        {"request_too_large", 413},
        {"rate_limit_error", 429},
        {"timeout_error", 504},
        {"overloaded_error", 529},
    }};
    const auto at = std::find_if(types.begin(), types.end(), [&](const auto& entry) { return entry.first == type; });
    return at != types.end() ? at->second : 0;
}

/// The text of a member that may be any JSON.
std::string words_of(const json& value) {
    const auto text = as_string(value);
    return text ? std::string(*text) : value.is_null() ? std::string() : dump_json(value);
}

/// Reads an error document of the service, or in one of the forms of compatible servers and gateways.
service_error read_document(const json& document) {
    const json& object = document.is_array() && !document.empty() ? document.front() : document;
    service_error out;
    out.request_id = string_of(object, "request_id");
    const json* const error = find_member(object, "error");
    const json& inner = error != nullptr && error->is_object() ? *error : object;
    if (&inner == error) {
        out.type = string_of(inner, "type");
        const json* const details = find_member(inner, "details");
        out.cause = details != nullptr ? string_of(*details, "error_code") : std::string();
    }
    if (error != nullptr && error->is_string()) {
        out.message = words_of(*error);
    }
    for (const char* name : {"message", "detail"}) {
        if (const json* member = find_member(inner, name); member != nullptr && out.message.empty()) {
            out.message = words_of(*member);
        }
    }
    return out;
}

void read_headers(service_error& out, std::span<const http_header> headers, std::chrono::system_clock::time_point now) {
    std::optional<duration> milliseconds;
    for (const http_header& header : headers) {
        if (detail::equals_ignoring_case(header.name, "retry-after-ms")) {
            if (const auto thousandfold = net::parse_duration(header.value + "s")) {
                milliseconds = *thousandfold / 1000;
            }
        } else if (detail::equals_ignoring_case(header.name, "retry-after")) {
            out.retry_after = net::parse_retry_after(header.value, now);
        } else if (detail::equals_ignoring_case(header.name, "request-id")) {
            out.request_id = header.value;
        } else if (detail::equals_ignoring_case(header.name, "x-should-retry")) {
            out.should_retry = header.value == "true" ? std::optional(true) : header.value == "false" ? std::optional(false) : std::nullopt;
        }
    }
    out.retry_after = milliseconds ? milliseconds : out.retry_after;
}

bool exceeds_context(std::string_view message) {
    return has_words(message, "prompt is too long") || has_words(message, "exceed context limit");
}

bool lacks_credit(int status, const service_error& error) {
    return status == 402 || has_words(error.message, "credit balance is too low");
}

errc code_by_status(int status, const service_error& error) {
    if (lacks_credit(status, error)) {
        return errc::quota_exhausted;
    }
    switch (status) {
        case 401: return errc::authentication;
        case 403: return errc::permission_denied;
        case 404:
            return error.type == "not_found_error" || has_words(error.message, "model") ? errc::unknown_model : errc::request_rejected;
        case 413: return errc::too_large;
        case 429: return error.cause.ends_with("spend_limit_reached") ? errc::quota_exhausted : errc::rate_limited;
        case 408:
        case 409:
        case 500:
        case 502:
        case 503:
        case 504:
        case 529: return errc::unavailable;
        default: break;
    }
    if (exceeds_context(error.message)) {
        return errc::too_large;
    }
    return status >= 400 && status < 500 ? errc::request_rejected : errc::bad_response;
}

/// The service's own word on a retry counts more than the status. It never makes an error of the account or the model transient.
errc code_for(int status, const service_error& error) {
    const errc code = code_by_status(status, error);
    if (error.should_retry == true && (code == errc::request_rejected || code == errc::bad_response)) {
        return errc::unavailable;
    }
    if (error.should_retry == false && (code == errc::unavailable || code == errc::rate_limited)) {
        return code == errc::rate_limited ? errc::quota_exhausted : errc::request_rejected;
    }
    return code;
}

std::string quota_hint(int status, const service_error& error, const advice& hints) {
    const std::string key(hints.names.key_variable);
    const std::string other = key.empty() ? std::string(".") : ", or set " + key + " to the key of another account.";
    if (lacks_credit(status, error)) {
        return "The credit of the API key's account is used up. Buy credit in the Anthropic Console" + other;
    }
    if (error.cause.ends_with("spend_limit_reached")) {
        return "The spending limit of the API key's account is reached until the month ends. Raise the limit in the Anthropic Console" +
               other;
    }
    return "The service says that a limit of the API key's account is reached for longer. Check the limits in the Anthropic Console" +
           other;
}

std::string hint_for(const failure& outcome, int status, const service_error& error, const advice& hints) {
    const std::string key(hints.names.key_variable);
    const std::string url(hints.url_variable);
    switch (outcome.code) {
        case errc::permission_denied:
            return "The API key may not use this service or model." +
                   (key.empty() ? std::string() : " Check the workspace that the key in " + key + " belongs to.");
        case errc::quota_exhausted: return quota_hint(status, error, hints);
        case errc::too_large:
            return "The conversation is too large for the model. Shorten the history or the replies, or start a new conversation.";
        case errc::request_rejected:
            if (status == 404) {
                return "The service has nothing at this address." + (url.empty() ? std::string() : " Check " + url + ".");
            }
            return status >= 500 ? "The service failed and says that a repeated request would fail, too."
                                 : "The service refused the request.";
        default: return net::common_hint(outcome, status, hints.names);
    }
}

failure to_failure(int status, const service_error& error, std::string_view body, const advice& hints) {
    const int meant = status_of(error.type);
    const int effective = meant != 0 ? meant : status;
    failure out;
    out.code = code_for(effective, error);
    out.retry_after = error.retry_after;
    out.hint = hint_for(out, effective, error, hints);
    const std::string label = error.type + (error.type.empty() || error.cause.empty() ? "" : " ") + error.cause;
    out.message = net::refusal_message(status, label, error.message.empty() ? body : std::string_view(error.message), hints.names.secret);
    if (!error.request_id.empty()) {
        out.message += " (" + detail::one_line(error.request_id, 80) + ")";
    }
    return out;
}

}  // namespace

bool is_error(const json& document) {
    const json* const error = find_member(document, "error");
    return string_member(document, "type") == "error" || (error != nullptr && !error->is_null());
}

failure decode_error(int status, std::string_view body, std::span<const http_header> headers, const advice& hints,
                     std::chrono::system_clock::time_point now) {
    const std::optional<json> document = net::parse_refusal(body);
    service_error error = document ? read_document(*document) : service_error();
    read_headers(error, headers, now);
    return to_failure(status, error, body, hints);
}

failure decode_error_document(const json& document, const advice& hints) {
    const service_error error = read_document(document);
    const int meant = status_of(error.type);
    return to_failure(meant != 0 ? meant : error.type == "invalid_request_error" ? 400 : 500, error, dump_json(document), hints);
}

failure decode_error(int status, std::string_view body) {
    return decode_error(status, body, {}, {}, {});
}

bool refuses_thinking(const failure& error) {
    if (error.code != errc::request_rejected && error.code != errc::unavailable) {  // the service may call a refusal transient
        return false;
    }
    constexpr std::array<std::string_view, 4> texts = {"`signature` in `thinking`", "`redacted_thinking` blocks in the latest",
                                                       "cannot contain `thinking`", "bound to a different conversation"};
    return std::any_of(texts.begin(), texts.end(), [&](std::string_view text) { return has_words(error.message, text); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
