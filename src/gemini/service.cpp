#include "gemini/service.hpp"

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
    if (std::optional<failure> redirect = net::redirect_failure(response, options_.api_key)) {
        return *std::move(redirect);
    }
    return net::redacted(decode_error(response.status, response.body, response.headers, names(), std::chrono::system_clock::now()),
                         options_.api_key);
}

result<void> service::usable_key() const {
    return net::usable_key(options_.api_key, options_.key_variable);
}

std::string service::url(std::string_view path) const {
    return net::joined_url(options_.base_url, "/" + options_.api_version).append(path);
}

http_request service::request(const char* method, std::string url, duration timeout) const {
    http_request wire;
    wire.repeatable = true;  // the service keeps no state
    wire.method = method;
    wire.url = std::move(url);
    wire.headers = {{"x-goog-api-key", options_.api_key}};
    wire.timeout = timeout;
    wire.max_response_bytes = options_.max_response_bytes;
    return wire;
}

result<http_request> service::get(const std::string& path, duration timeout) const {
    const result<void> usable = usable_key();
    return usable ? result<http_request>(request("GET", url(path), timeout)) : usable.error();
}

result<http_request> service::post(std::string_view method, std::string body, duration timeout) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    http_request wire = request("POST", std::string(model_url_).append(method), timeout);
    wire.headers.push_back({"Content-Type", "application/json"});
    wire.body = std::move(body);
    return wire;
}

result<json> service::read_body(std::string_view body, json_budget& budget) const {
    result<json> document = net::parse_body(body, options_.api_key, budget);
    if (!document) {
        return document;
    }
    const json* error = error_member(*document);
    return error == nullptr ? std::move(document) : net::redacted(decode_error_member(*error, names()), options_.api_key);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
