#include "gemini/service.hpp"

#include "gemini/stream_reader.hpp"
#include "gemini/wire.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

std::string model_name(std::string_view model) {
    constexpr std::string_view prefix = "models/";
    while (model.starts_with('/') || model.starts_with(prefix)) {
        model.remove_prefix(model.starts_with('/') ? 1 : prefix.size());
    }
    return std::string(model.starts_with("tunedModels/") ? "" : prefix) + std::string(model);
}

std::string model_path(std::string_view model) {
    const std::string name = model_name(model);
    const std::size_t slash = name.find('/') + 1;
    return "/" + name.substr(0, slash) + net::url_escaped(std::string_view(name).substr(slash));
}

advice service::names() const noexcept {
    return {options_.model, options_.key_variable, options_.model_variable, options_.api_key};
}

failure service::refusal(const http_response& response) const {
    return net::redacted(decode_error(response.status, response.body, response.headers, names(), std::chrono::system_clock::now()),
                         options_.api_key);
}

result<void> service::usable_key() const {
    return net::usable_key(options_.api_key, options_.key_variable);
}

http_request service::request(const char* method, const std::string& path, duration timeout) const {
    http_request wire;
    wire.repeatable = true;  // the service keeps no state
    wire.method = method;
    wire.url = net::joined_url(options_.base_url, "/" + options_.api_version + path);
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
        return net::without_connection(response.error(), options_.api_key);
    }
    if (response->status != 200) {
        return refusal(*response);
    }
    result<json> body = net::parse_body(response->body, options_.api_key);
    if (!body) {
        return body.error();
    }
    if (const json* error = error_member(*body)) {
        return net::redacted(decode_error_member(*error, names()), options_.api_key);
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
        return net::without_connection(response.error(), options_.api_key);
    }
    if (response && response->status != 200) {
        return refusal(*response);
    }
    result<model_response> outcome = reader.finish();
    return outcome ? std::move(outcome) : net::redacted(outcome.error(), options_.api_key);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
