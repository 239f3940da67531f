#include "gemini/error_document.hpp"

#include "gemini/retry_delay.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

bool mentions_day(std::string_view quota) {
    return contains(quota, "PerDay") || contains(quota, "Daily");
}

/// The HTTP status for a status name, or 0. For errors in a stream that have no `code`.
int code_of(std::string_view status) {
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
        out.retry_after = parse_duration(string_member(detail, "retryDelay").value_or(""));
    } else if (type.ends_with("google.rpc.QuotaFailure")) {
        if (const json* violations = find_member(detail, "violations"); violations != nullptr && violations->is_array()) {
            for (const json& violation : *violations) {
                const std::string_view quota = string_member(violation, "quotaId").value_or("");
                out.daily = out.daily || mentions_day(quota);
            }
        }
    }
}

service_error read(const json& error, int depth) {
    const std::string_view message = string_member(error, "message").value_or("");
    const std::string_view start = detail::trimmed(message).substr(0, 1);
    if (depth < 3 && (start == "[" || start == "{")) {
        if (const result<json> nested = parse_json(message); nested) {
            if (const json* inner = error_member(*nested)) {
                return read(*inner, depth + 1);
            }
        }
    }
    service_error out;
    out.message = message;
    out.status = string_member(error, "status").value_or("");
    const std::int64_t code = integer_member(error, "code").value_or(0);
    out.code = code >= 400 && code < 600 ? static_cast<int>(code) : code_of(out.status);
    out.daily = mentions_day(message);
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

}  // namespace

const json* error_member(const json& document) {
    const json& object = document.is_array() && document.size() == 1 ? document.front() : document;
    const json* error = find_member(object, "error");
    return error != nullptr && error->is_object() ? error : nullptr;
}

service_error read_error(const json& error) {
    return read(error, 0);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
