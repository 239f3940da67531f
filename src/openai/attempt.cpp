#include "openai/attempt.hpp"

#include "openai/decode_responses.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

attempt::attempt(std::shared_ptr<service> shared, net::attempt_setup asked)
    : model_exchange(std::move(asked), shared->options().api_key), service_(std::move(shared)) {}

result<http_request> attempt::encode() {
    without_reasoning_ = service_->without_reasoning;
    result<std::string> body = service_->encoder().encode(asked(), without_reasoning_ ? "none" : "");
    if (!body) {
        return std::move(body.error());
    }
    if (streams()) {
        const decode_style decoding{.writer = service_->encoder().style().writer, .functions = !asked().declarations.empty()};
        const std::size_t most = service_->options().max_response_bytes;
        if (service_->uses_responses_api()) {
            reader_ = std::make_unique<responses_reader>(sink(), decoding, service_->errors(), most, budget());
        } else {
            reader_ = std::make_unique<chat_reader>(sink(), decoding, service_->errors(), most, budget());
        }
    }
    return service_->post(*std::move(body), asked().time_left);
}

result<model_response> attempt::decode(std::string_view body) {
    json_budget allowed = budget();
    result<json> whole = service_->read_body(body, allowed);
    if (!whole) {
        return std::move(whole.error());
    }
    if (is_error(*whole)) {
        return decode_error_document(*whole, service_->errors());
    }
    const decode_style decoding{.writer = service_->encoder().style().writer, .functions = !asked().declarations.empty()};
    return service_->uses_responses_api() ? decode_responses(*std::move(whole), decoding) : decode_completion(*std::move(whole), decoding);
}

/// The service may say that the model takes functions only without reasoning. The next request asks for none.
bool attempt::corrects(const failure& error) {
    const bool refused = !without_reasoning_ && service_->options().generation.reasoning_effort.empty() && demands_no_reasoning(error);
    if (refused) {
        service_->without_reasoning = true;
    }
    return refused;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
