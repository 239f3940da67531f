#include "anthropic/service.hpp"

#include "anthropic/wire.hpp"

#include <pyaichat/net/url.hpp>

#include <chrono>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

std::string base_url(const anthropic_options& options) {
    constexpr std::string_view version = "/v1";
    std::string_view base = options.base_url;
    const auto without_slashes = [&base] {
        while (base.ends_with('/')) {
            base.remove_suffix(1);
        }
    };
    without_slashes();
    if (base.ends_with(version)) {
        base.remove_suffix(version.size());
        without_slashes();
    }
    return std::string(base);
}

advice service::hints() const noexcept {
    return {{options_.model, options_.key_variable, options_.model_variable, options_.api_key}, options_.url_variable};
}

failure service::refusal(const http_response& response) const {
    if (std::optional<failure> redirect = net::redirect_failure(response, options_.api_key)) {
        return *std::move(redirect);
    }
    return net::redacted(decode_error(response.status, response.body, response.headers, hints(), std::chrono::system_clock::now()),
                         options_.api_key);
}

result<void> service::usable_key() const {
    if (options_.api_key.empty()) {
        const result<net::url> target = net::parse_url(base_);
        if (target && target->loopback()) {
            return {};
        }
    }
    return net::usable_key(options_.api_key, options_.key_variable);
}

http_request service::request(const char* method, const std::string& path, duration timeout) const {
    http_request wire;
    wire.repeatable = true;  // the service keeps no state
    wire.method = method;
    wire.url = net::joined_url(base_, "/v1" + path);
    wire.headers = {{"anthropic-version", options_.version}};
    if (!options_.api_key.empty() && options_.auth == anthropic_auth::bearer) {
        wire.headers.push_back({"Authorization", "Bearer " + options_.api_key});
    } else if (!options_.api_key.empty()) {
        wire.headers.push_back({"x-api-key", options_.api_key});
    }
    wire.headers.insert(wire.headers.end(), options_.headers.begin(), options_.headers.end());
    wire.timeout = timeout;
    wire.max_response_bytes = options_.max_response_bytes;
    return wire;
}

result<http_request> service::get(const std::string& path, duration timeout) const {
    const result<void> usable = usable_key();
    return usable ? result<http_request>(request("GET", path, timeout)) : usable.error();
}

result<http_request> service::post(const std::string& path, std::string body, duration timeout) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    http_request wire = request("POST", path, timeout);
    wire.headers.push_back({"Content-Type", "application/json"});
    wire.body = std::move(body);
    return wire;
}

result<json> service::read_body(std::string_view body, json_budget& budget) const {
    result<json> document = net::parse_body(body, options_.api_key, budget, lone_surrogates::kept);
    if (document && is_error(*document)) {
        return net::redacted(decode_error_document(*document, hints()), options_.api_key);
    }
    return document;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
