#include <pyaichat/openai/openai.hpp>

#include "net/service_exchange.hpp"
#include "openai/attempt.hpp"
#include "openai/wire.hpp"

#include <pyaichat/openai/codec.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

struct openai::state {
    state(openai_options options, any_http_transport chosen)
        : service(std::make_shared<openai_codec::service>(std::move(options))), transport(std::move(chosen)) {}

    [[nodiscard]] result<json> exchange(const result<http_request>& wire, const cancel_token& cancel) const {
        return net::exchange(*service, transport, wire, cancel);
    }

    const std::shared_ptr<openai_codec::service> service;
    const any_http_transport transport;
};

openai::openai(openai_options options) : openai(options, net::https_transport(options.https)) {}

openai::openai(openai_options options, any_http_transport transport)
    : state_(std::make_shared<state>(std::move(options), std::move(transport))) {}

const openai_options& openai::options() const noexcept {
    return state_->service->options();
}

result<model_response> openai::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    return net::perform(state_->transport, request, sink, cancel,
                        [service = state_->service](net::attempt_setup asked) { return openai_codec::attempt(service, std::move(asked)); });
}

void openai::start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply) {
    state_->transport.start(
        std::make_unique<openai_codec::attempt>(
            state_->service, net::attempt_setup{.request = request, .sink = sink, .cancel = cancel, .reply = std::move(reply)}),
        cancel);
}

bool openai::is_async() const noexcept {
    return state_->transport.is_async();
}

std::shared_ptr<event_loop> openai::loop() const {
    return state_->transport.loop();
}

bool openai::takes_answer_schema(const json& schema) const {
    return state_->service->encoder().takes_answer_schema(schema);
}

result<std::vector<openai_model_info>> openai::list_models(duration timeout, const cancel_token& cancel) {
    const result<json> body = state_->exchange(state_->service->get("/models", timeout), cancel);
    if (!body) {
        return body.error();
    }
    if (find_member(*body, "data") == nullptr) {
        return net::unreadable("the list of models has no `data`");
    }
    std::vector<openai_model_info> out;
    for (const json& wire : openai_codec::elements_of(*body, "data")) {
        result<openai_model_info> info = openai_codec::decode_model(wire);
        if (!info) {
            return info.error();
        }
        out.push_back(*std::move(info));
    }
    return out;
}

result<openai_model_info> openai::describe_model(duration timeout, const cancel_token& cancel) {
    const std::string wanted = openai_codec::model_name(options());
    result<std::vector<openai_model_info>> models = list_models(timeout, cancel);
    if (!models) {
        return models.error();
    }
    const auto found = std::find_if(models->begin(), models->end(), [&](const openai_model_info& info) {
        return info.name == wanted || info.name == wanted + ":latest" || "models/" + info.name == wanted;
    });
    if (found != models->end()) {
        return *std::move(found);
    }
    if (!options().profile.checks_model) {
        return models->empty() ? openai_model_info{.name = wanted} : models->front();
    }
    failure error{.code = errc::unknown_model, .message = "the service does not list the model \"" + wanted + "\""};
    error.hint = net::common_hint(error, 0, {.model = wanted, .model_variable = options().model_variable});
    return error;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
