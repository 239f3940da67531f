#include "gemini/service.hpp"

#include "gemini/stream_reader.hpp"
#include "gemini/wire.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

std::string_view without_trailing_slashes(std::string_view url) {
    while (url.ends_with('/')) {
        url.remove_suffix(1);
    }
    return url;
}

}  // namespace

std::string model_name(std::string_view model) {
    constexpr std::string_view prefix = "models/";
    while (model.starts_with('/') || model.starts_with(prefix)) {
        model.remove_prefix(model.starts_with('/') ? 1 : prefix.size());
    }
    return std::string(model.starts_with("tunedModels/") ? "" : prefix) + std::string(model);
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

std::string model_path(std::string_view model) {
    const std::string name = model_name(model);
    const std::size_t slash = name.find('/') + 1;
    return "/" + name.substr(0, slash) + url_escaped(std::string_view(name).substr(slash));
}

advice service::names() const noexcept {
    return {options_.model, options_.key_variable, options_.model_variable, options_.api_key};
}

failure service::redacted(failure error) const {
    error.message = redact(std::move(error.message), options_.api_key);
    error.hint = redact(std::move(error.hint), options_.api_key);
    return error;
}

failure service::refusal(const http_response& response) const {
    return redacted(decode_error(response.status, response.body, response.headers, names(), std::chrono::system_clock::now()));
}

failure service::without_connection(failure error) const {
    if (error.hint.empty()) {
        error.hint = error.code == errc::timeout ? "The service did not answer in time." : "The service could not be reached.";
    }
    return redacted(std::move(error));
}

result<void> service::usable_key() const {
    const std::string& variable = options_.key_variable;
    if (options_.api_key.empty()) {
        return failure{.code = errc::authentication,
                       .message = "no API key is set",
                       .hint = "No API key is set." + (variable.empty() ? std::string() : " Set " + variable + " to your key.")};
    }
    const bool printable = std::all_of(options_.api_key.begin(), options_.api_key.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!printable) {
        return failure{.code = errc::authentication,
                       .message = "the API key contains characters that cannot be sent",
                       .hint = "The API key contains spaces, control characters or non-ASCII letters." +
                               (variable.empty() ? std::string() : " Check " + variable + ".")};
    }
    return {};
}

http_request service::request(const char* method, const std::string& path, duration timeout) const {
    http_request wire;
    wire.repeatable = true;  // the service keeps no state
    wire.method = method;
    wire.url = std::string(without_trailing_slashes(options_.base_url)) + "/" + options_.api_version + path;
    wire.headers = {{"x-goog-api-key", options_.api_key}};
    wire.timeout = timeout;
    wire.max_response_bytes = options_.max_response_bytes;
    return wire;
}

http_request service::call_of(const std::string& method, std::string body, duration timeout) const {
    http_request wire = request("POST", model_path(options_.model) + ":" + method, timeout);
    wire.headers.push_back({"Content-Type", "application/json"});
    wire.body = std::move(body);
    return wire;
}

result<json> service::exchange(const http_request& wire, const cancel_token& cancel) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    const result<http_response> response = transport_.send(wire, cancel);
    if (!response) {
        return without_connection(response.error());
    }
    if (response->status != 200) {
        return refusal(*response);
    }
    result<json> body = parse_json(response->body);
    if (!body) {
        // Redact before cutting: a part of the key must not be shown either.
        failure error = unreadable("the response cannot be parsed as JSON (" + std::string(to_string(body.error().code)) +
                                   "): " + detail::one_line(redact(response->body, options_.api_key), 120));
        error.code = body.error().code;
        return error;
    }
    if (const json* error = error_member(*body)) {
        return redacted(decode_error_member(*error, names()));
    }
    return body;
}

result<json> service::get(const std::string& path, duration timeout, const cancel_token& cancel) const {
    return exchange(request("GET", path, timeout), cancel);
}

result<json> service::post(const std::string& method, std::string body, duration timeout, const cancel_token& cancel) const {
    return exchange(call_of(method, std::move(body), timeout), cancel);
}

result<model_response> service::stream(std::string body, duration timeout, const std::string& writer, const delta_sink& sink,
                                       const cancel_token& cancel) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    const http_request wire = call_of("streamGenerateContent?alt=sse", std::move(body), timeout);
    stream_reader reader(sink, writer, names(), options_.max_response_bytes);
    bool stopped = false;
    const auto read = [&](std::string_view piece) {
        stopped = !reader.feed(piece);
        return !stopped;
    };
    const result<http_response> response = transport_.stream(wire, read, cancel);
    if (!response && !stopped) {
        return without_connection(response.error());
    }
    if (response && response->status != 200) {
        return refusal(*response);
    }
    result<model_response> outcome = reader.finish();
    return outcome ? std::move(outcome) : redacted(outcome.error());
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
