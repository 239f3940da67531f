#include "openai/service.hpp"

#include <pyaichat/net/url.hpp>
#include <pyaichat/openai/codec.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

bool is_loopback(const std::string& base) {
    const result<net::url> parsed = net::parse_url(base);
    return parsed && parsed->loopback();
}

}  // namespace

service::service(openai_options options)
    : options_(std::move(options)),
      base_(base_url(options_)),
      model_(model_name(options_)),
      key_variable_(options_.key_variable.empty() ? options_.profile.key_variable : options_.key_variable),
      responses_(uses_responses(options_)),
      key_optional_(options_.profile.key_optional || is_loopback(base_)),
      encoder_(options_) {}

error_style service::errors() const noexcept {
    return {
        .names = {.model = model_, .key_variable = key_variable_, .model_variable = options_.model_variable, .secret = options_.api_key},
        .url_variable = options_.url_variable,
        .profile = &options_.profile};
}

result<void> service::usable_key() const {
    return options_.api_key.empty() && key_optional_ ? result<void>() : net::usable_key(options_.api_key, key_variable_);
}

http_request service::request(const char* method, const std::string& path, duration timeout) const {
    http_request wire;
    wire.repeatable = true;  // the service keeps no state
    wire.method = method;
    wire.url = net::joined_url(base_, path);
    wire.headers = options_.headers;
    if (!options_.api_key.empty()) {
        wire.headers.push_back({"Authorization", "Bearer " + options_.api_key});
    }
    wire.timeout = timeout;
    wire.max_response_bytes = options_.max_response_bytes;
    return wire;
}

result<model_response> service::refused_attempt(const http_response& response) const {
    if (std::optional<failure> redirect = net::redirect_failure(response, options_.api_key)) {
        return *std::move(redirect);
    }
    result<model_response> read =
        decode_refusal(response.status, response.body, response.headers, errors(), std::chrono::system_clock::now());
    return read ? std::move(read) : net::redacted(read.error(), options_.api_key);
}

failure service::refusal(const http_response& response) const {
    const result<model_response> read = refused_attempt(response);
    return read ? net::unreadable("the service refused the request as it refuses a prompt") : read.error();
}

result<http_request> service::get(const std::string& path, duration timeout) const {
    const result<void> usable = usable_key();
    return usable ? result<http_request>(request("GET", path, timeout)) : usable.error();
}

result<http_request> service::post(std::string body, duration timeout) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    http_request wire = request("POST", responses_ ? "/responses" : "/chat/completions", timeout);
    wire.headers.push_back({"Content-Type", "application/json"});
    wire.body = std::move(body);
    return wire;
}

result<json> service::read_body(std::string_view body, json_budget& budget) const {
    return net::parse_body(body, options_.api_key, budget);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
