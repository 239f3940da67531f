#include "gemini/attempt.hpp"

#include <pyaichat/gemini/codec.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

attempt::attempt(std::shared_ptr<service> shared, net::attempt_setup asked)
    : model_exchange(std::move(asked), shared->options().api_key), service_(std::move(shared)) {}

result<http_request> attempt::encode() {
    if (const result<void> usable = service_->usable_key(); !usable) {
        return usable.error();
    }
    result<std::string> body = service_->encoder().encode(asked());
    if (!body) {
        return std::move(body.error());
    }
    if (streams()) {
        reader_.emplace(sink(), service_->encoder().writer(), service_->names(), service_->options().max_response_bytes, budget());
    }
    return service_->post(streams() ? "streamGenerateContent?alt=sse" : "generateContent", *std::move(body), asked().time_left);
}

result<model_response> attempt::decode(std::string_view body) {
    json_budget allowed = budget();
    result<json> whole = service_->read_body(body, allowed);
    return whole ? decode_response(*std::move(whole), service_->encoder().writer()) : std::move(whole.error());
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
