#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <optional>
#include <string>
#include <string_view>

/// What providers of HTTP services with an API key have in common.
namespace pyaichat::inline PYAICHAT_ABI::net {

/// Names for hints, and the secret that no message may show.
struct service_names {
    std::string_view model = {};
    std::string_view key_variable = {};
    std::string_view model_variable = {};
    std::string_view secret = {};
};

/// Replaces every occurrence of `secret` by "***".
[[nodiscard]] std::string redact(std::string text, std::string_view secret);

/// Redacts the message and the hint.
[[nodiscard]] failure redacted(failure error, std::string_view secret);

/// Fails with `authentication` if an API key is missing or cannot be sent in a header. `variable` is named in the hint.
[[nodiscard]] result<void> usable_key(std::string_view key, std::string_view variable);

/// Joins a base URL, with or without slashes at its end, and a path that begins with a slash.
[[nodiscard]] std::string joined_url(std::string_view base, std::string_view path);

/// Percent-encodes a text for a URL.
[[nodiscard]] std::string url_escaped(std::string_view text);

/// Makes the failure for a response in another form than documented.
[[nodiscard]] failure unreadable(std::string message);

/// Parses the body of a response that must be JSON. If it is not, the failure quotes the start of the body, without the secret.
[[nodiscard]] result<json> parse_body(std::string_view body, std::string_view secret, json_budget& budget,
                                      lone_surrogates halves = lone_surrogates::replaced);

/// Parses the body of a refusal. Nothing needs to be read of one that is not JSON, or too long for an error document.
[[nodiscard]] std::optional<json> parse_refusal(std::string_view body);

/// Parses the arguments of a call, which some services send as a text. At most `json_budget::values` values.
[[nodiscard]] result<json> parse_arguments(std::string_view text);

/// Returns whether parsing was stopped by the budget, not by the text.
[[nodiscard]] bool is_spent(const json_budget& budget, const failure& error) noexcept;

/// Adds a hint to a failure of the transport that has none, and redacts it.
[[nodiscard]] failure without_connection(failure error, std::string_view secret);

/// Formats the message of a refused request: "HTTP 429 RESOURCE_EXHAUSTED: ...". `label` may be empty. The text is repaired, redacted and
/// cut to 2,000 bytes.
[[nodiscard]] std::string refusal_message(int status, std::string_view label, std::string_view text, std::string_view secret);

/// Makes the failure for a redirect, which is never followed: the API key must not go to another address. Returns nothing for a response
/// that is no redirect.
[[nodiscard]] std::optional<failure> redirect_failure(const http_response& response, std::string_view secret);

/// Returns the hint for a failure that is worded alike for all services: `authentication`, `unknown_model`, `rate_limited`, `unavailable`
/// and `bad_response`. Other codes give an empty text.
[[nodiscard]] std::string common_hint(const failure& error, int status, const service_names& names);

}  // namespace pyaichat::inline PYAICHAT_ABI::net
