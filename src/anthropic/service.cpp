#include "anthropic/service.hpp"

#include "anthropic/stream_reader.hpp"
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

http_request service::post_request(const std::string& path, std::string body, duration timeout) const {
    http_request wire = request("POST", path, timeout);
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
    if (body && is_error(*body)) {
        return net::redacted(decode_error_document(*body, hints()), options_.api_key);
    }
    return body;
}

result<json> service::get(const std::string& path, duration timeout, const cancel_token& cancel) const {
    return exchange(request("GET", path, timeout), cancel);
}

result<json> service::post(const std::string& path, std::string body, duration timeout, const cancel_token& cancel) const {
    return exchange(post_request(path, std::move(body), timeout), cancel);
}

result<model_response> service::stream(std::string body, duration timeout, const origin& from, const delta_sink& sink,
                                       const cancel_token& cancel) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    const http_request wire = post_request("/messages", std::move(body), timeout);
    stream_reader reader(sink, from, hints(), options_.max_response_bytes);
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

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
