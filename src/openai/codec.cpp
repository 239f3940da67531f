#include <pyaichat/openai/codec.hpp>

#include "net/service_access.hpp"
#include "openai/decode_responses.hpp"
#include "openai/errors.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/openai/openai_model_info.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

/// The name of a model up to its first number: "gpt-5" for "gpt-5.4-mini".
std::string_view family(std::string_view model) {
    std::size_t end = 0;
    while (end < model.size() && !detail::is_digit(model[end])) {
        ++end;
    }
    while (end < model.size() && detail::is_digit(model[end])) {
        ++end;
    }
    return model.substr(0, end);
}

error_style errors_of(const openai_options& options) {
    return {.names = {.model = options.model.empty() ? options.profile.model : options.model,
                      .key_variable = options.key_variable.empty() ? options.profile.key_variable : options.key_variable,
                      .model_variable = options.model_variable,
                      .secret = options.api_key},
            .url_variable = options.url_variable,
            .profile = &options.profile};
}

}  // namespace

std::string base_url(const openai_options& options) {
    return net::joined_url(options.base_url.empty() ? options.profile.base_url : options.base_url, {});
}

std::string model_name(const openai_options& options) {
    return options.model.empty() ? options.profile.model : options.model;
}

bool uses_responses(const openai_options& options) {
    if (options.api != openai_api::automatic) {
        return options.api == openai_api::responses;
    }
    const std::string model = model_name(options);
    const std::vector<std::string>& names = options.profile.responses_models;
    return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return model.find(name) != model.npos; });
}

std::string wire_writer(const openai_options& options) {
    return base_url(options) + (uses_responses(options) ? " responses " : " ") + std::string(family(model_name(options)));
}

message decode_message(json wire, const openai_options& options) {
    const decode_style style{.writer = wire_writer(options)};
    return wire.is_array() ? decode_output(std::move(wire), style, {}, true) : decode_message(std::move(wire), style, {}, true);
}

result<model_response> decode_response(json body, const openai_options& options, bool functions) {
    if (is_error(body)) {
        return decode_error_document(body, errors_of(options));
    }
    const decode_style style{.writer = wire_writer(options), .functions = functions};
    return uses_responses(options) ? decode_responses(std::move(body), style) : decode_completion(std::move(body), style);
}

result<model_response> decode_error(const http_response& response, const openai_options& options) {
    return decode_refusal(response.status, response.body, response.headers, errors_of(options), std::chrono::system_clock::now());
}

result<openai_model_info> decode_model(const json& wire) {
    std::string_view name = string_member(wire, "id").value_or("");
    if (name.empty()) {
        return net::unreadable("the description of the model has no id");
    }
    name.remove_prefix(name.starts_with("models/") ? 7 : 0);
    openai_model_info info;
    info.name = name;
    info.owner = string_member(wire, "owned_by").value_or("");
    info.created = integer_member(wire, "created").value_or(0);
    return info;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
