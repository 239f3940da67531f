#include <pyaichat/anthropic/anthropic.hpp>

#include "anthropic/errors.hpp"
#include "anthropic/request_encoder.hpp"
#include "anthropic/service.hpp"
#include "anthropic/wire.hpp"
#include "provider/check_calls.hpp"

#include <pyaichat/anthropic/codec.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

struct anthropic::state {
    state(anthropic_options wanted, any_http_transport transport)
        : options(std::move(wanted)), service(options, std::move(transport)), encoder(options) {}

    /// Sends an encoded request once.
    [[nodiscard]] result<model_response> send(anthropic_codec::encoded_request request, duration time_left, const delta_sink& sink,
                                              const cancel_token& cancel) const {
        const anthropic_codec::origin from{encoder.writer(), request.prefix};
        if (options.stream) {
            return service.stream(std::move(request.body), time_left, from, sink, cancel);
        }
        result<json> whole = service.post("/messages", std::move(request.body), time_left, cancel);
        return whole ? anthropic_codec::decode_response(*std::move(whole), from) : std::move(whole).error();
    }

    const anthropic_options options;
    const anthropic_codec::service service;
    anthropic_codec::request_encoder encoder;
};

namespace {

/// The rest of a timeout that began at `begin`.
duration rest_of(duration timeout, std::chrono::steady_clock::time_point begin) {
    return timeout == duration::max() ? timeout : std::max(timeout - (std::chrono::steady_clock::now() - begin), duration::zero());
}

}  // namespace

anthropic::anthropic(anthropic_options options) : anthropic(options, net::https_transport(options.https)) {}

anthropic::anthropic(anthropic_options options, any_http_transport transport)
    : state_(std::make_shared<state>(std::move(options), std::move(transport))) {}

const anthropic_options& anthropic::options() const noexcept {
    return state_->options;
}

result<model_response> anthropic::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    const auto begin = std::chrono::steady_clock::now();
    const std::shared_ptr<state> held = state_;
    if (const result<void> usable = held->service.usable_key(); !usable) {
        return usable.error();
    }
    result<anthropic_codec::encoded_request> encoded = held->encoder.encode(request);
    if (!encoded) {
        return encoded.error();
    }
    const std::optional<std::uint64_t> thinking = encoded->first_thinking;
    result<model_response> response = held->send(*std::move(encoded), request.time_left, sink, cancel);
    if (!response && thinking && anthropic_codec::refuses_thinking(response.error())) {
        held->encoder.refuse_thinking(*thinking);
        encoded = held->encoder.encode(request);
        response = encoded ? held->send(*std::move(encoded), rest_of(request.time_left, begin), sink, cancel) : encoded.error();
    }
    if (response) {
        detail::check_calls(*response, request.declarations);
        for (candidate& one : response->candidates) {
            one.finish_text = net::redact(std::move(one.finish_text), held->options.api_key);
            one.finish_message = net::redact(std::move(one.finish_message), held->options.api_key);
        }
    }
    return response;
}

result<anthropic_model_info> anthropic::describe_model(duration timeout, const cancel_token& cancel) {
    const result<json> body = state_->service.get("/models/" + net::url_escaped(state_->options.model), timeout, cancel);
    return body ? anthropic_codec::decode_model(*body) : body.error();
}

result<std::vector<anthropic_model_info>> anthropic::list_models(duration timeout, const cancel_token& cancel) {
    constexpr int most_pages = 100;  // of 1,000 models each
    const auto begin = std::chrono::steady_clock::now();
    std::vector<anthropic_model_info> out;
    std::string last;
    for (int page = 0; page < most_pages; ++page) {
        const std::string next = last.empty() ? "" : "&after_id=" + net::url_escaped(last);
        const result<json> body = state_->service.get("/models?limit=1000" + next, rest_of(timeout, begin), cancel);
        if (!body) {
            return body.error();
        }
        for (const json& wire : anthropic_codec::elements_of(*body, "data")) {
            result<anthropic_model_info> info = anthropic_codec::decode_model(wire);
            if (!info) {
                return info.error();
            }
            out.push_back(*std::move(info));
        }
        last = bool_member(*body, "has_more").value_or(false) ? anthropic_codec::string_of(*body, "last_id") : std::string();
        if (last.empty()) {
            return out;
        }
    }
    return anthropic_codec::unreadable("the list of models has too many pages");
}

result<std::int64_t> anthropic::count_tokens(const model_request& request, const cancel_token& cancel) {
    result<anthropic_codec::encoded_request> encoded = state_->encoder.encode(request, true);
    if (!encoded) {
        return encoded.error();
    }
    const result<json> counted = state_->service.post("/messages/count_tokens", std::move(encoded->body), request.time_left, cancel);
    if (!counted) {
        return counted.error();
    }
    const std::optional<std::int64_t> tokens = integer_member(*counted, "input_tokens");
    return tokens && *tokens >= 0 ? result<std::int64_t>(*tokens)
                                  : anthropic_codec::unreadable("the count of tokens has no `input_tokens`");
}

}  // namespace pyaichat::inline PYAICHAT_ABI
