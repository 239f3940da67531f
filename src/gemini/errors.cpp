#include "gemini/errors.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace pyaichat::inline v0::gemini_codec {

namespace {

constexpr std::size_t quoted_bytes = 2000;  // of a body, in a message for the operator's log

/// What can be learned from an error document.
struct service_error {
    int code = 0;
    std::string message = {};
    std::string status = {};
    std::string reason = {};  ///< of an ErrorInfo
    bool daily = false;       ///< a quota that will not be back within a run
    std::optional<duration> retry_after = {};
};

bool contains(std::string_view text, std::string_view piece) {
    return text.find(piece) != std::string_view::npos;
}

/// "Please retry in 12.3s." and "Please retry in 539.47ms" at the end of a message.
std::optional<duration> delay_in_words(std::string_view message) {
    constexpr std::string_view lead = "retry in ";
    const std::size_t at = message.rfind(lead);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    std::string_view rest = message.substr(at + lead.size());
    const std::size_t digits = std::min(rest.find_first_not_of("0123456789."), rest.size());
    const bool milliseconds = rest.substr(digits).starts_with("ms");
    if (!milliseconds && !rest.substr(digits).starts_with("s")) {
        return std::nullopt;
    }
    const std::optional<duration> seconds = parse_duration(std::string(rest.substr(0, digits)) + "s");
    return seconds && milliseconds ? std::optional<duration>(*seconds / 1000) : seconds;
}

void read_detail(const json& detail, service_error& out) {
    const std::string_view type = string_member(detail, "@type").value_or("");
    if (type.ends_with("google.rpc.ErrorInfo")) {
        out.reason = string_member(detail, "reason").value_or("");
    } else if (type.ends_with("google.rpc.RetryInfo")) {
        out.retry_after = parse_duration(string_member(detail, "retryDelay").value_or(""));
    } else if (type.ends_with("google.rpc.QuotaFailure")) {
        if (const json* violations = find_member(detail, "violations"); violations != nullptr && violations->is_array()) {
            for (const json& violation : *violations) {
                const std::string_view quota = string_member(violation, "quotaId").value_or("");
                out.daily = out.daily || contains(quota, "PerDay") || contains(quota, "Daily");
            }
        }
    }
}

/// The innermost error document: proxies wrap one in the message of another, and streams wrap it in an array.
const json* error_member(const json& document) {
    const json& object = document.is_array() && document.size() == 1 ? document.front() : document;
    const json* error = find_member(object, "error");
    return error != nullptr && error->is_object() ? error : nullptr;
}

service_error read_error(const json& error, int depth = 0) {
    const std::string_view message = string_member(error, "message").value_or("");
    if (depth < 3 && message.find_first_not_of(" \r\n\t") != std::string_view::npos &&
        contains("[{", message.substr(message.find_first_not_of(" \r\n\t"), 1))) {
        if (const result<json> nested = parse_json(message); nested) {
            if (const json* inner = error_member(*nested)) {
                return read_error(*inner, depth + 1);
            }
        }
    }
    service_error out;
    out.code = static_cast<int>(integer_member(error, "code").value_or(0));
    out.message = message;
    out.status = string_member(error, "status").value_or("");
    if (const json* details = find_member(error, "details"); details != nullptr && details->is_array()) {
        for (const json& detail : *details) {
            read_detail(detail, out);
        }
    }
    if (!out.retry_after) {
        out.retry_after = delay_in_words(out.message);
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
            // A request without any key is told off in these words; the key is missing, not powerless.
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

/// What a person can do about a request that was refused: the service tells these apart in words only.
std::string refusal_hint(int status, const service_error& error) {
    if (status == 413 || contains(error.message, "exceeds the maximum number of tokens")) {
        return "The question, with what was found for it, is too large for the model. Ask about less, or start a new conversation.";
    }
    if (contains(error.message, "location is not supported")) {
        return "The service does not serve the location that the request comes from.";
    }
    if (error.status == "FAILED_PRECONDITION") {
        return "The service wants something of the account first: look at its billing and its terms.";
    }
    return "The service refused the request.";
}

std::string hint_for(errc code, int status, const service_error& error, const advice& names) {
    const std::string key(names.key_variable);
    const std::string model(names.model_variable);
    switch (code) {
        case errc::authentication: return "The API key was rejected." + (key.empty() ? std::string() : " Check " + key + ".");
        case errc::permission_denied:
            if (contains(error.message, "leaked")) {
                return "The API key was reported as leaked and is blocked. Make a new one" + (key.empty() ? "." : " and set " + key + ".");
            }
            return "The API key may not use this service or model." +
                   (key.empty() ? std::string() : " Check the project that the key in " + key + " belongs to.");
        case errc::unknown_model:
            return "The model \"" + std::string(names.model) + "\" is unknown to the service." +
                   (model.empty() ? std::string() : " Choose another one with " + model + ".");
        case errc::quota_exhausted:
            return status == 402 ? "The credit of the API key's account is used up." : "The daily quota of the API key is used up.";
        case errc::rate_limited:
            return "The service limits the rate of requests; try again " +
                   (error.retry_after ? "in " + describe(*error.retry_after) : std::string("shortly")) + ".";
        case errc::unavailable:
            if (status == 503) {
                return "The service is overloaded; try again shortly.";
            }
            return status == 504 || status == 408 ? "The service did not answer in time; try again shortly."
                                                  : "The service failed; try again shortly.";
        case errc::request_rejected: return refusal_hint(status, error);
        default: return "The service gave an answer that cannot be used" + (status == 0 ? "." : " (HTTP " + std::to_string(status) + ").");
    }
}

failure to_failure(int status, const service_error& error, std::string_view body, const advice& names) {
    failure out;
    out.code = code_of(status, error);
    out.hint = hint_for(out.code, status, error, names);
    out.retry_after = error.retry_after;
    const std::string text = repair_utf8(error.message.empty() ? body : std::string_view(error.message));
    out.message = "HTTP " + std::to_string(status) + (error.status.empty() ? "" : " " + error.status) +
                  (error.reason.empty() ? "" : " " + error.reason) + ": " +
                  (is_blank(text) ? std::string("(no body)") : std::string(utf8_prefix(text, quoted_bytes)));
    return out;
}

std::optional<int> month_of(std::string_view name) {
    constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    const auto at = std::find(months.begin(), months.end(), name);
    return at == months.end() ? std::nullopt : std::optional<int>(static_cast<int>(at - months.begin()) + 1);
}

std::optional<int> number(std::string_view digits) {
    int value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() ? std::optional<int>(value) : std::nullopt;
}

}  // namespace

std::optional<duration> parse_duration(std::string_view text) {
    if (!text.ends_with('s')) {
        return std::nullopt;
    }
    text.remove_suffix(1);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string_view whole = text.substr(0, point);
    std::string fraction(text.substr(std::min(point + 1, text.size())));
    fraction.resize(9, '0');  // nanoseconds
    const std::optional<int> seconds = number(whole);
    const std::optional<int> nanoseconds = number(fraction);
    if (!seconds || !nanoseconds || *seconds < 0 || *nanoseconds < 0) {
        return std::nullopt;
    }
    return std::chrono::seconds(*seconds) + std::chrono::nanoseconds(*nanoseconds);
}

std::optional<duration> parse_retry_after(std::string_view text, std::chrono::system_clock::time_point now) {
    if (const std::optional<duration> seconds = parse_duration(std::string(text) + "s"); seconds) {
        return seconds;
    }
    // "Sat, 21 Nov 2026 22:00:00 GMT", the one form that HTTP allows to be written
    if (text.size() != 29 || text.substr(3, 2) != ", " || text.substr(25) != " GMT") {
        return std::nullopt;
    }
    const auto day = number(text.substr(5, 2));
    const auto month = month_of(text.substr(8, 3));
    const auto year = number(text.substr(12, 4));
    const auto hour = number(text.substr(17, 2));
    const auto minute = number(text.substr(20, 2));
    const auto second = number(text.substr(23, 2));
    if (!day || !month || !year || !hour || !minute || !second) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date(std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day)));
    if (!date.ok()) {
        return std::nullopt;
    }
    const auto then =
        std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) + std::chrono::seconds(*second);
    // In seconds: nanoseconds cannot count to the years that a server may write. A day is longer than anybody waits.
    const auto wait = std::chrono::duration_cast<std::chrono::seconds>(then - std::chrono::floor<std::chrono::seconds>(now));
    return std::clamp<std::chrono::seconds>(wait, std::chrono::seconds(0), std::chrono::hours(24));
}

std::string redact(std::string text, std::string_view secret) {
    if (secret.empty()) {
        return text;
    }
    constexpr std::string_view stars = "***";
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + stars.size())) {
        text.replace(at, secret.size(), stars);
    }
    return text;
}

failure decode_error(int status, std::string_view body, std::span<const http_header> headers, const advice& names,
                     std::chrono::system_clock::time_point now) {
    service_error error;
    if (const result<json> document = parse_json(body); document) {
        if (const json* member = error_member(*document)) {
            error = read_error(*member);
        }
    }
    if (!error.retry_after) {
        constexpr std::string_view wanted = "retry-after";
        for (const http_header& header : headers) {
            if (std::equal(header.name.begin(), header.name.end(), wanted.begin(), wanted.end(),
                           [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; })) {
                error.retry_after = parse_retry_after(header.value, now);
            }
        }
    }
    return to_failure(status, error, body, names);
}

failure decode_error_member(const json& error, const advice& names) {
    const service_error read = read_error(error);
    return to_failure(read.code >= 400 && read.code < 600 ? read.code : 500, read, dump_json(error), names);
}

failure decode_error(int status, std::string_view body) {
    return decode_error(status, body, {}, {}, {});
}

}  // namespace pyaichat::inline v0::gemini_codec
