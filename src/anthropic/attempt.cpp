#include "anthropic/attempt.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

attempt::attempt(std::shared_ptr<service> shared, net::attempt_setup asked)
    : model_exchange(std::move(asked), shared->options().api_key), service_(std::move(shared)) {}

result<http_request> attempt::encode() {
    if (const result<void> usable = service_->usable_key(); !usable) {
        return usable.error();
    }
    result<encoded_request> encoded = service_->encoder().encode(asked());
    if (!encoded) {
        return std::move(encoded.error());
    }
    from_ = {service_->encoder().writer(), encoded->prefix};
    first_thinking_ = encoded->first_thinking;
    if (streams()) {
        reader_.emplace(sink(), from_, service_->hints(), service_->options().max_response_bytes, budget());
    }
    return service_->post("/messages", std::move(encoded->body), asked().time_left);
}

result<model_response> attempt::decode(std::string_view body) {
    json_budget allowed = budget();
    result<json> whole = service_->read_body(body, allowed);
    return whole ? decode_response(*std::move(whole), from_) : std::move(whole.error());
}

/// The service may refuse thinking blocks that it wrote. The next request leaves them out.
bool attempt::corrects(const failure& error) {
    const bool refused = first_thinking_ && refuses_thinking(error);
    if (refused) {
        service_->encoder().refuse_thinking(*first_thinking_);
    }
    return refused;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
