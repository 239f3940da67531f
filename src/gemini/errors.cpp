#include "gemini/errors.hpp"

#include "gemini/wire.hpp"
#include "net/retry_delay.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

/// The contents of an error document.
struct service_error {
    int code = 0;  ///< HTTP status; 0 = unknown
    std::string message = {};
    std::string status = {};
    std::string reason = {};  ///< of an ErrorInfo
    bool daily = false;       ///< a daily quota is exhausted
    std::optional<duration> retry_after = {};
};

bool contains(std::string_view text, std::string_view piece) noexcept {
    return text.find(piece) != std::string_view::npos;
}

bool mentions_day(std::string_view quota) {
    return contains(quota, "PerDay") || contains(quota, "Daily");
}

/// The HTTP status for a status name, or 0. For errors in a stream that have no `code`.
int http_status(std::string_view status) {
    constexpr std::array<std::pair<std::string_view, int>, 12> names = {{
        {"INVALID_ARGUMENT", 400},
        {"FAILED_PRECONDITION", 400},
        {"OUT_OF_RANGE", 400},
        {"UNAUTHENTICATED", 401},
        {"PERMISSION_DENIED", 403},
        {"NOT_FOUND", 404},
        {"ABORTED", 409},
        {"RESOURCE_EXHAUSTED", 429},
        {"CANCELLED", 499},
        {"INTERNAL", 500},
        {"UNAVAILABLE", 503},
        {"DEADLINE_EXCEEDED", 504},
    }};
    const auto at = std::find_if(names.begin(), names.end(), [&](const auto& entry) { return entry.first == status; });
    return at != names.end() ? at->second : 0;
}

void read_detail(const json& detail, service_error& out) {
    const std::string_view type = string_member(detail, "@type").value_or("");
    if (type.ends_with("google.rpc.ErrorInfo")) {
        out.reason = string_member(detail, "reason").value_or("");
    } else if (type.ends_with("google.rpc.RetryInfo")) {
        out.retry_after = net::parse_duration(string_member(detail, "retryDelay").value_or(""));
    } else if (type.ends_with("google.rpc.QuotaFailure")) {
        for (const json& violation : elements_of(detail, "violations")) {
            out.daily = out.daily || mentions_day(string_member(violation, "quotaId").value_or(""));
        }
    }
}

/// Reads a `google.rpc.Status`. Proxies nest errors in the `message` of another error: the innermost error is returned.
service_error read_error(const json& error, int depth = 0) {
    const std::string_view message = string_member(error, "message").value_or("");
    const std::string_view start = detail::trimmed(message).substr(0, 1);
    if (depth < 3 && (start == "[" || start == "{")) {
        if (const std::optional<json> nested = net::parse_refusal(message); nested) {
            if (const json* inner = error_member(*nested)) {
                return read_error(*inner, depth + 1);
            }
        }
    }
    service_error out;
    out.message = message;
    out.status = string_member(error, "status").value_or("");
    const std::int64_t code = integer_of(error, "code").value_or(0);
    out.code = code >= 400 && code < 600 ? static_cast<int>(code) : http_status(out.status);
    out.daily = mentions_day(message);
    for (const json& detail : elements_of(error, "details")) {
        read_detail(detail, out);
    }
    if (!out.retry_after) {
        out.retry_after = net::delay_in_words(out.message);
    }
    return out;
}

errc code_of(int status, const service_error& error) {
    // Proxies and older routes drop the details and keep the message.
    const bool key_in_words = status == 400 && (contains(error.message, "API key not valid") ||
                                                contains(error.message, "API key expired") || contains(error.message, "API Key not found"));
    if (error.reason == "API_KEY_INVALID" || status == 401 || key_in_words) {
        return errc::authentication;
    }
    switch (status) {
        case 402: return errc::quota_exhausted;
        case 403:
            // The service's words for a request without a key.
            return contains(error.message, "unregistered callers") ? errc::authentication : errc::permission_denied;
        case 404: return errc::unknown_model;
        case 408:
        case 500:
        case 502:
        case 503:
        case 504: return errc::unavailable;
        case 429: return error.daily ? errc::quota_exhausted : errc::rate_limited;
        default: return status >= 400 && status < 500 ? errc::request_rejected : errc::bad_response;
    }
}

/// The service distinguishes these cases only by the message.
std::string refusal_hint(int status, const service_error& error) {
    if (status == 413 || contains(error.message, "exceeds the maximum number of tokens")) {
        return "The conversation is too large for the model. Ask a smaller question or start a new conversation.";
    }
    if (contains(error.message, "location is not supported")) {
        return "The service is not available in your location.";
    }
    if (error.status == "FAILED_PRECONDITION") {
        return "The account cannot use the service yet. Check its billing and terms.";
    }
    return "The service refused the request.";
}

std::string hint_for(const failure& outcome, int status, const service_error& error, const advice& names) {
    const std::string key(names.key_variable);
    switch (outcome.code) {
        case errc::permission_denied:
            if (contains(error.message, "leaked")) {
                return "The API key was reported as leaked and is blocked. Make a new one" + (key.empty() ? "." : " and set " + key + ".");
            }
            if (error.reason == "SERVICE_DISABLED") {
                return "The Gemini API is not enabled for the project of the API key. Enable it, or use another key" +
                       (key.empty() ? std::string(".") : " in " + key + ".");
            }
            return "The API key may not use this service or model." +
                   (key.empty() ? std::string() : " Check the project that the key in " + key + " belongs to.");
        case errc::quota_exhausted:
            return status == 402 ? "The credit of the API key's account is used up." : "The daily quota of the API key is used up.";
        case errc::request_rejected: return refusal_hint(status, error);
        default: return net::common_hint(outcome, status, names);
    }
}

failure to_failure(int status, const service_error& error, std::string_view body, const advice& names) {
    failure out;
    out.code = code_of(status, error);
    out.retry_after = error.retry_after;
    out.hint = hint_for(out, status, error, names);
    const std::string label = error.status + (error.status.empty() || error.reason.empty() ? "" : " ") + error.reason;
    out.message = net::refusal_message(status, label, error.message.empty() ? body : std::string_view(error.message), names.secret);
    return out;
}

}  // namespace

const json* error_member(const json& document) {
    const json& object = document.is_array() && document.size() == 1 ? document.front() : document;
    const json* error = find_member(object, "error");
    return error != nullptr && error->is_object() ? error : nullptr;
}

failure decode_error(int status, std::string_view body, std::span<const http_header> headers, const advice& names,
                     std::chrono::system_clock::time_point now) {
    service_error error;
    if (const std::optional<json> document = net::parse_refusal(body); document) {
        if (const json* member = error_member(*document)) {
            error = read_error(*member);
        }
    }
    if (!error.retry_after) {
        for (const http_header& header : headers) {
            if (detail::equals_ignoring_case(header.name, "Retry-After")) {
                error.retry_after = net::parse_retry_after(header.value, now);
            }
        }
    }
    return to_failure(status, error, body, names);
}

failure decode_error_member(const json& error, const advice& names) {
    const service_error read = read_error(error);
    return to_failure(read.code != 0 ? read.code : 500, read, dump_json(error), names);
}

failure decode_error(int status, std::string_view body) {
    return decode_error(status, body, {}, {}, {});
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
