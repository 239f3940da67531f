#include "net/service_access.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

std::string redact(std::string text, std::string_view secret) {
    std::string out;
    std::size_t copied = 0;
    for (std::size_t found; !secret.empty() && (found = text.find(secret, copied)) != text.npos; copied = found + secret.size()) {
        out.append(text, copied, found - copied).append("***");
    }
    return copied == 0 ? std::move(text) : std::move(out.append(text, copied));
}

failure redacted(failure error, std::string_view secret) {
    error.message = redact(std::move(error.message), secret);
    error.hint = redact(std::move(error.hint), secret);
    return error;
}

result<void> usable_key(std::string_view key, std::string_view variable) {
    const std::string name(variable);
    if (key.empty()) {
        return failure{.code = errc::authentication,
                       .message = "no API key is set",
                       .hint = "No API key is set." + (name.empty() ? std::string() : " Set " + name + " to your key.")};
    }
    const bool printable = std::all_of(key.begin(), key.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!printable) {
        return failure{.code = errc::authentication,
                       .message = "the API key contains characters that cannot be sent",
                       .hint = "The API key contains spaces, control characters or non-ASCII letters." +
                               (name.empty() ? std::string() : " Check " + name + ".")};
    }
    return {};
}

std::string joined_url(std::string_view base, std::string_view path) {
    while (base.ends_with('/')) {
        base.remove_suffix(1);
    }
    return std::string(base).append(path);
}

std::string url_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (detail::is_letter(c) || detail::is_digit(c) || std::string_view("-._~").find(c) != std::string_view::npos) {
            out += c;
        } else {
            constexpr std::string_view digits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            out += {'%', digits[byte >> 4U], digits[byte & 15U]};
        }
    }
    return out;
}

failure unreadable(std::string message) {
    return {.code = errc::bad_response, .message = std::move(message), .hint = "The service sent a response that cannot be read."};
}

result<json> parse_arguments(std::string_view text) {
    json_budget budget;
    return parse_json(text, budget);
}

bool is_spent(const json_budget& budget, const failure& error) noexcept {
    return budget.values == 0 || error.code == errc::timeout || error.code == errc::cancelled;
}

std::optional<json> parse_refusal(std::string_view body) {
    constexpr std::size_t longest = std::size_t{1} << 20;
    json_budget budget{.values = 10'000};
    result<json> parsed = body.size() <= longest ? parse_json(body, budget) : failure{.code = errc::too_large};
    return parsed ? std::optional(*std::move(parsed)) : std::nullopt;
}

result<json> parse_body(std::string_view body, std::string_view secret, json_budget& budget, lone_surrogates halves) {
    result<json> parsed = parse_json(body, budget, halves);
    if (!parsed && !is_spent(budget, parsed.error())) {
        // Redact before cutting: a part of the key must not be shown either.
        failure error = unreadable("the response cannot be parsed as JSON (" + std::string(to_string(parsed.error().code)) +
                                   "): " + detail::one_line(redact(std::string(body), secret), 120));
        error.code = parsed.error().code;
        return error;
    }
    return parsed;
}

failure without_connection(failure error, std::string_view secret) {
    if (error.hint.empty()) {
        error.hint = error.code == errc::timeout ? "The service did not answer in time." : "The service could not be reached.";
    }
    return redacted(std::move(error), secret);
}

std::string refusal_message(int status, std::string_view label, std::string_view text, std::string_view secret) {
    constexpr std::size_t quoted_bytes = 2000;
    // Redact before cutting: a part of the key must not be shown either.
    const std::string shown = redact(detail::repair_utf8(text), secret);
    return "HTTP " + std::to_string(status) + (label.empty() ? "" : " ") + std::string(label) + ": " +
           (detail::is_blank(shown) ? std::string("(no body)") : std::string(detail::utf8_prefix(shown, quoted_bytes)));
}

std::optional<failure> redirect_failure(const http_response& response, std::string_view secret) {
    if (response.status / 100 != 3) {
        return std::nullopt;
    }
    constexpr std::size_t quoted_bytes = 500;
    for (const http_header& header : response.headers) {
        if (detail::equals_ignoring_case(header.name, "Location") && !detail::is_blank(header.value)) {
            const std::string target = detail::one_line(redact(detail::repair_utf8(header.value), secret), quoted_bytes);
            return failure{.code = errc::unreachable,
                           .message = "HTTP " + std::to_string(response.status) + ": redirected to " + target,
                           .hint = "The service has moved to " + target + ". Set the base URL to the new address if you trust it."};
        }
    }
    return std::nullopt;
}

std::string common_hint(const failure& error, int status, const service_names& names) {
    const std::string key(names.key_variable);
    const std::string model(names.model_variable);
    const std::string when = error.retry_after ? "in " + describe(*error.retry_after) : std::string("shortly");
    switch (error.code) {
        case errc::authentication: return "The API key was rejected." + (key.empty() ? std::string() : " Check " + key + ".");
        case errc::unknown_model:
            return "The model \"" + std::string(names.model) + "\" is unknown to the service." +
                   (model.empty() ? std::string() : " Choose another one with " + model + ".");
        case errc::rate_limited: return "The service limits the rate of requests; try again " + when + ".";
        case errc::unavailable:
            if (status == 503 || status == 529) {
                return "The service is overloaded; try again " + when + ".";
            }
            return (status == 504 || status == 408 ? "The service did not answer in time; try again " : "The service failed; try again ") +
                   when + ".";
        case errc::bad_response:
            return "The service sent a response that cannot be used" + (status == 0 ? "." : " (HTTP " + std::to_string(status) + ").");
        default: return {};
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
