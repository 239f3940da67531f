#include "openai/service.hpp"

#include "openai/completion_reader.hpp"
#include "openai/decode_responses.hpp"

#include <pyaichat/net/url.hpp>
#include <pyaichat/openai/codec.hpp>

#include <memory>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

bool is_loopback(const std::string& base) {
    const result<net::url> parsed = net::parse_url(base);
    return parsed && parsed->loopback();
}

}  // namespace

service::service(const openai_options& options, any_http_transport transport)
    : options_(options),
      base_(base_url(options)),
      model_(model_name(options)),
      key_variable_(options.key_variable.empty() ? options.profile.key_variable : options.key_variable),
      responses_(uses_responses(options)),
      key_optional_(options.profile.key_optional || is_loopback(base_)),
      transport_(std::move(transport)) {}

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

result<model_response> service::refusal(const http_response& response) const {
    result<model_response> read =
        decode_refusal(response.status, response.body, response.headers, errors(), std::chrono::system_clock::now());
    return read ? std::move(read) : net::redacted(read.error(), options_.api_key);
}

result<json> service::get(const std::string& path, duration timeout, const cancel_token& cancel) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    const result<http_response> response = transport_.send(request("GET", path, timeout), cancel);
    if (!response) {
        return net::without_connection(response.error(), options_.api_key);
    }
    if (response->status != 200) {
        const result<model_response> read = refusal(*response);
        return read ? net::unreadable("the service refused `GET " + path + "` as it refuses a prompt") : read.error();
    }
    return net::parse_body(response->body, options_.api_key);
}

result<model_response> service::whole(const http_request& wire, const decode_style& decoding, const cancel_token& cancel) const {
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
    if (is_error(*body)) {
        return decode_error_document(*body, errors());
    }
    return responses_ ? decode_responses(*std::move(body), decoding) : decode_completion(*std::move(body), decoding);
}

result<model_response> service::streamed(const http_request& wire, const decode_style& decoding, const delta_sink& sink,
                                         const cancel_token& cancel) const {
    std::unique_ptr<completion_reader> reader;
    if (responses_) {
        reader = std::make_unique<responses_reader>(sink, decoding, errors(), options_.max_response_bytes);
    } else {
        reader = std::make_unique<chat_reader>(sink, decoding, errors(), options_.max_response_bytes);
    }
    bool stopped = false;
    const auto read = [&](std::string_view piece) {
        stopped = !reader->feed(piece);
        return !stopped;
    };
    const result<http_response> response = transport_.stream(wire, read, cancel);
    if (!response && !stopped) {
        return net::without_connection(response.error(), options_.api_key);
    }
    if (response && response->status != 200) {
        return refusal(*response);
    }
    return reader->finish();
}

result<model_response> service::complete(std::string body, duration timeout, const decode_style& decoding, const delta_sink& sink,
                                         const cancel_token& cancel) const {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    http_request wire = request("POST", responses_ ? "/responses" : "/chat/completions", timeout);
    wire.headers.push_back({"Content-Type", "application/json"});
    wire.body = std::move(body);
    result<model_response> outcome = options_.stream ? streamed(wire, decoding, sink, cancel) : whole(wire, decoding, cancel);
    return outcome ? std::move(outcome) : net::redacted(outcome.error(), options_.api_key);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
