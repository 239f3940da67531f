#include <pyaichat/gemini/gemini.hpp>

#include "gemini/attempt.hpp"
#include "gemini/wire.hpp"
#include "net/service_exchange.hpp"

#include <pyaichat/gemini/codec.hpp>

#include <chrono>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

struct gemini::state {
    state(gemini_options options, any_http_transport chosen)
        : service(std::make_shared<gemini_codec::service>(std::move(options))), transport(std::move(chosen)) {}

    [[nodiscard]] result<json> exchange(const result<http_request>& wire, const cancel_token& cancel) const {
        return net::exchange(*service, transport, wire, cancel);
    }

    const std::shared_ptr<gemini_codec::service> service;
    const any_http_transport transport;
};

gemini::gemini(gemini_options options) : gemini(options, net::https_transport(options.https)) {}

gemini::gemini(gemini_options options, any_http_transport transport)
    : state_(std::make_shared<state>(std::move(options), std::move(transport))) {}

const gemini_options& gemini::options() const noexcept {
    return state_->service->options();
}

result<model_response> gemini::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    return net::perform(state_->transport, request, sink, cancel,
                        [service = state_->service](net::attempt_setup asked) { return gemini_codec::attempt(service, std::move(asked)); });
}

void gemini::start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply) {
    state_->transport.start(
        std::make_unique<gemini_codec::attempt>(
            state_->service, net::attempt_setup{.request = request, .sink = sink, .cancel = cancel, .reply = std::move(reply)}),
        cancel);
}

bool gemini::is_async() const noexcept {
    return state_->transport.is_async();
}

std::shared_ptr<event_loop> gemini::loop() const {
    return state_->transport.loop();
}

bool gemini::takes_answer_schema(const json& schema) const {
    return state_->service->encoder().takes_answer_schema(schema);
}

result<gemini_model_info> gemini::describe_model(duration timeout, const cancel_token& cancel) {
    const result<json> body = state_->exchange(state_->service->get(gemini_codec::model_path(options().model), timeout), cancel);
    return body ? gemini_codec::decode_model(*body) : body.error();
}

result<std::vector<gemini_model_info>> gemini::list_models(duration timeout, const cancel_token& cancel) {
    constexpr int most_pages = 100;  // of 1,000 models each
    const auto begin = std::chrono::steady_clock::now();
    std::vector<gemini_model_info> out;
    std::string token;
    for (int page = 0; page < most_pages; ++page) {
        const std::string next = token.empty() ? "" : "&pageToken=" + net::url_escaped(token);
        const result<json> body =
            state_->exchange(state_->service->get("/models?pageSize=1000" + next, net::rest_of(timeout, begin)), cancel);
        if (!body) {
            return body.error();
        }
        for (const json& wire : gemini_codec::elements_of(*body, "models")) {
            result<gemini_model_info> info = gemini_codec::decode_model(wire);
            if (!info) {
                return info.error();
            }
            out.push_back(*std::move(info));
        }
        token = string_member(*body, "nextPageToken").value_or("");
        if (token.empty()) {
            return out;
        }
    }
    return gemini_codec::unreadable("the list of models has too many pages");
}

result<std::int64_t> gemini::count_tokens(const model_request& request, const cancel_token& cancel) {
    const result<std::string> encoded = state_->service->encoder().encode(request);
    if (!encoded) {
        return encoded.error();
    }
    // A body with `contents` alone would not count the instructions and declarations.
    std::string body = R"({"generateContentRequest":{)";
    gemini_codec::append_member(body, "model", gemini_codec::model_name(options().model));
    body.append(*encoded, 1);
    body += '}';
    const result<json> counted = state_->exchange(state_->service->post("countTokens", std::move(body), request.time_left), cancel);
    if (!counted) {
        return counted.error();
    }
    const std::optional<std::int64_t> tokens = gemini_codec::integer_of(*counted, "totalTokens");
    return tokens && *tokens >= 0 ? result<std::int64_t>(*tokens) : gemini_codec::unreadable("the count of tokens has no `totalTokens`");
}

}  // namespace pyaichat::inline PYAICHAT_ABI
