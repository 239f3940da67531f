#include "gemini/errors.hpp"

#include "gemini/retry_delay.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

constexpr std::size_t quoted_bytes = 2000;  // of a body, in `failure::message`

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

std::string hint_for(errc code, int status, const service_error& error, const advice& names) {
    const std::string key(names.key_variable);
    const std::string model(names.model_variable);
    const std::string when = error.retry_after ? "in " + describe(*error.retry_after) : std::string("shortly");
    switch (code) {
        case errc::authentication: return "The API key was rejected." + (key.empty() ? std::string() : " Check " + key + ".");
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
        case errc::unknown_model:
            return "The model \"" + std::string(names.model) + "\" is unknown to the service." +
                   (model.empty() ? std::string() : " Choose another one with " + model + ".");
        case errc::quota_exhausted:
            return status == 402 ? "The credit of the API key's account is used up." : "The daily quota of the API key is used up.";
        case errc::rate_limited: return "The service limits the rate of requests; try again " + when + ".";
        case errc::unavailable:
            if (status == 503) {
                return "The service is overloaded; try again " + when + ".";
            }
            return (status == 504 || status == 408 ? "The service did not answer in time; try again " : "The service failed; try again ") +
                   when + ".";
        case errc::request_rejected: return refusal_hint(status, error);
        default: return "The service sent a response that cannot be used" + (status == 0 ? "." : " (HTTP " + std::to_string(status) + ").");
    }
}

failure to_failure(int status, const service_error& error, std::string_view body, const advice& names) {
    failure out;
    out.code = code_of(status, error);
    out.hint = hint_for(out.code, status, error, names);
    out.retry_after = error.retry_after;
    // Redact before cutting: a part of the key must not be shown either.
    const std::string text = redact(detail::repair_utf8(error.message.empty() ? body : std::string_view(error.message)), names.secret);
    out.message = "HTTP " + std::to_string(status) + (error.status.empty() ? "" : " " + error.status) +
                  (error.reason.empty() ? "" : " " + error.reason) + ": " +
                  (detail::is_blank(text) ? std::string("(no body)") : std::string(detail::utf8_prefix(text, quoted_bytes)));
    return out;
}

}  // namespace

std::string redact(std::string text, std::string_view secret) {
    std::size_t found = secret.empty() ? std::string::npos : text.find(secret);
    if (found == std::string::npos) {
        return text;
    }
    std::string out;
    std::size_t copied = 0;
    for (; found != std::string::npos; found = text.find(secret, copied)) {
        out.append(text, copied, found - copied);
        out += "***";
        copied = found + secret.size();
    }
    out.append(text, copied);
    return out;
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
        for (const http_header& header : headers) {
            if (detail::equals_ignoring_case(header.name, "Retry-After")) {
                error.retry_after = parse_retry_after(header.value, now);
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
