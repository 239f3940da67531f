#include <pyaichat/anthropic/anthropic.hpp>

#include "anthropic/attempt.hpp"
#include "anthropic/wire.hpp"
#include "net/service_exchange.hpp"

#include <pyaichat/anthropic/codec.hpp>

#include <chrono>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

struct anthropic::state {
    state(anthropic_options options, any_http_transport chosen)
        : service(std::make_shared<anthropic_codec::service>(std::move(options))), transport(std::move(chosen)) {}

    [[nodiscard]] result<json> exchange(const result<http_request>& wire, const cancel_token& cancel) const {
        return net::exchange(*service, transport, wire, cancel);
    }

    const std::shared_ptr<anthropic_codec::service> service;
    const any_http_transport transport;
};

anthropic::anthropic(anthropic_options options) : anthropic(options, net::https_transport(options.https)) {}

anthropic::anthropic(anthropic_options options, any_http_transport transport)
    : state_(std::make_shared<state>(std::move(options), std::move(transport))) {}

const anthropic_options& anthropic::options() const noexcept {
    return state_->service->options();
}

result<model_response> anthropic::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    return net::perform(state_->transport, request, sink, cancel, [service = state_->service](net::attempt_setup asked) {
        return anthropic_codec::attempt(service, std::move(asked));
    });
}

void anthropic::start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply) {
    state_->transport.start(
        std::make_unique<anthropic_codec::attempt>(
            state_->service, net::attempt_setup{.request = request, .sink = sink, .cancel = cancel, .reply = std::move(reply)}),
        cancel);
}

bool anthropic::is_async() const noexcept {
    return state_->transport.is_async();
}

std::shared_ptr<event_loop> anthropic::loop() const {
    return state_->transport.loop();
}

bool anthropic::takes_answer_schema(const json& schema) const {
    return state_->service->encoder().takes_answer_schema(schema);
}

result<anthropic_model_info> anthropic::describe_model(duration timeout, const cancel_token& cancel) {
    const result<json> body = state_->exchange(state_->service->get("/models/" + net::url_escaped(options().model), timeout), cancel);
    return body ? anthropic_codec::decode_model(*body) : body.error();
}

result<std::vector<anthropic_model_info>> anthropic::list_models(duration timeout, const cancel_token& cancel) {
    constexpr int most_pages = 100;  // of 1,000 models each
    const auto begin = std::chrono::steady_clock::now();
    std::vector<anthropic_model_info> out;
    std::string last;
    for (int page = 0; page < most_pages; ++page) {
        const std::string next = last.empty() ? "" : "&after_id=" + net::url_escaped(last);
        const result<json> body = state_->exchange(state_->service->get("/models?limit=1000" + next, net::rest_of(timeout, begin)), cancel);
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
    result<anthropic_codec::encoded_request> encoded = state_->service->encoder().encode(request, true);
    if (!encoded) {
        return encoded.error();
    }
    const result<json> counted =
        state_->exchange(state_->service->post("/messages/count_tokens", std::move(encoded->body), request.time_left), cancel);
    if (!counted) {
        return counted.error();
    }
    const std::optional<std::int64_t> tokens = integer_member(*counted, "input_tokens");
    return tokens && *tokens >= 0 ? result<std::int64_t>(*tokens)
                                  : anthropic_codec::unreadable("the count of tokens has no `input_tokens`");
}

}  // namespace pyaichat::inline PYAICHAT_ABI
