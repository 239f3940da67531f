#include <pyaichat/openai/openai.hpp>

#include "openai/request_encoder.hpp"
#include "openai/service.hpp"
#include "openai/wire.hpp"
#include "provider/check_calls.hpp"

#include <pyaichat/openai/codec.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

struct openai::state {
    state(openai_options wanted, any_http_transport transport)
        : options(std::move(wanted)), service(options, std::move(transport)), encoder(options) {}

    const openai_options options;
    const openai_codec::service service;
    openai_codec::request_encoder encoder;
    std::atomic<bool> without_reasoning = false;  ///< the model takes functions only with the effort `none`
};

openai::openai(openai_options options) : openai(options, net::https_transport(options.https)) {}

openai::openai(openai_options options, any_http_transport transport)
    : state_(std::make_shared<state>(std::move(options), std::move(transport))) {}

const openai_options& openai::options() const noexcept {
    return state_->options;
}

result<model_response> openai::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    const std::shared_ptr<state> held = state_;
    const auto begin = std::chrono::steady_clock::now();
    const openai_codec::decode_style decoding{.writer = held->encoder.style().writer, .functions = !request.declarations.empty()};
    const auto attempt = [&](duration time_left) -> result<model_response> {
        result<std::string> body = held->encoder.encode(request, held->without_reasoning ? "none" : "");
        return body ? held->service.complete(*std::move(body), time_left, decoding, sink, cancel) : body.error();
    };
    result<model_response> response = attempt(request.time_left);
    const bool may_repeat = held->options.generation.reasoning_effort.empty() && !held->without_reasoning;
    if (!response && may_repeat && openai_codec::demands_no_reasoning(response.error())) {
        held->without_reasoning = true;
        const duration left = request.time_left - (std::chrono::steady_clock::now() - begin);
        response = attempt(std::max(left, duration::zero()));
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

result<std::vector<openai_model_info>> openai::list_models(duration timeout, const cancel_token& cancel) {
    const result<json> body = state_->service.get("/models", timeout, cancel);
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
    const std::string wanted = openai_codec::model_name(state_->options);
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
    if (!state_->options.profile.checks_model) {
        return models->empty() ? openai_model_info{.name = wanted} : models->front();
    }
    failure error{.code = errc::unknown_model, .message = "the service does not list the model \"" + wanted + "\""};
    error.hint = net::common_hint(error, 0, {.model = wanted, .model_variable = state_->options.model_variable});
    return error;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
