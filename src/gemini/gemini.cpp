#include <pyaichat/gemini/gemini.hpp>

#include "gemini/errors.hpp"
#include "gemini/request_encoder.hpp"
#include "gemini/service.hpp"
#include "gemini/wire.hpp"
#include "provider/check_calls.hpp"

#include <pyaichat/gemini/codec.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

struct gemini::state {
    state(gemini_options wanted, any_http_transport transport)
        : options(std::move(wanted)), service(options, std::move(transport)), encoder(options) {}

    const gemini_options options;
    const gemini_codec::service service;
    gemini_codec::request_encoder encoder;
};

gemini::gemini(gemini_options options) : gemini(options, net::https_transport(options.https)) {}

gemini::gemini(gemini_options options, any_http_transport transport)
    : state_(std::make_shared<state>(std::move(options), std::move(transport))) {}

const gemini_options& gemini::options() const noexcept {
    return state_->options;
}

result<model_response> gemini::complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    const std::shared_ptr<state> held = state_;
    const std::string& writer = held->encoder.writer();
    if (const result<void> usable = held->service.usable_key(); !usable) {
        return usable.error();
    }
    result<std::string> body = held->encoder.encode(request);
    if (!body) {
        return body.error();
    }
    result<model_response> response = failure();
    if (held->options.stream) {
        response = held->service.stream(*std::move(body), request.time_left, writer, sink, cancel);
    } else {
        result<json> whole = held->service.post("generateContent", *std::move(body), request.time_left, cancel);
        response = whole ? gemini_codec::decode_response(*std::move(whole), writer) : std::move(whole).error();
    }
    if (response) {
        detail::check_calls(*response, request.declarations);
        for (candidate& one : response->candidates) {
            one.finish_text = net::redact(std::move(one.finish_text), held->options.api_key);
            one.finish_message = net::redact(std::move(one.finish_message), held->options.api_key);
        }
        if (response->prompt_block) {
            response->prompt_block = net::redact(*std::move(response->prompt_block), held->options.api_key);
        }
    }
    return response;
}

result<gemini_model_info> gemini::describe_model(duration timeout, const cancel_token& cancel) {
    const result<json> body = state_->service.get(gemini_codec::model_path(state_->options.model), timeout, cancel);
    return body ? gemini_codec::decode_model(*body) : body.error();
}

result<std::vector<gemini_model_info>> gemini::list_models(duration timeout, const cancel_token& cancel) {
    constexpr int most_pages = 100;  // of 1,000 models each
    const auto begin = std::chrono::steady_clock::now();
    std::vector<gemini_model_info> out;
    std::string token;
    for (int page = 0; page < most_pages; ++page) {
        const duration left = timeout - (std::chrono::steady_clock::now() - begin);
        const std::string next = token.empty() ? "" : "&pageToken=" + net::url_escaped(token);
        const result<json> body = state_->service.get("/models?pageSize=1000" + next, std::max(left, duration::zero()), cancel);
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
    const result<std::string> encoded = state_->encoder.encode(request);
    if (!encoded) {
        return encoded.error();
    }
    // A body with `contents` alone would not count the instructions and declarations.
    std::string body = R"({"generateContentRequest":{)";
    gemini_codec::append_member(body, "model", gemini_codec::model_name(state_->options.model));
    body.append(*encoded, 1);
    body += '}';
    const result<json> counted = state_->service.post("countTokens", std::move(body), request.time_left, cancel);
    if (!counted) {
        return counted.error();
    }
    const std::optional<std::int64_t> tokens = integer_member(*counted, "totalTokens");
    return tokens && *tokens >= 0 ? result<std::int64_t>(*tokens) : gemini_codec::unreadable("the count of tokens has no `totalTokens`");
}

}  // namespace pyaichat::inline PYAICHAT_ABI
