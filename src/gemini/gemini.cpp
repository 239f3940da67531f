#include <pyaichat/gemini/gemini.hpp>

#include <pyaichat/core/text.hpp>

#include "gemini/errors.hpp"

#include <pyaichat/gemini/codec.hpp>
#include <pyaichat/net/https.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace pyaichat::inline v0 {

namespace {

/// The one place that builds a model's path. Exactly one prefix, whatever the user wrote; everything unusual is escaped.
std::string model_path(std::string_view version, std::string_view model) {
    constexpr std::string_view prefix = "models/";
    constexpr std::string_view tuned = "tunedModels/";
    while (model.starts_with('/') || model.starts_with(prefix)) {
        model.remove_prefix(model.starts_with('/') ? 1 : prefix.size());
    }
    std::string out = "/" + std::string(version) + "/";
    out += model.starts_with(tuned) ? tuned : prefix;
    model.remove_prefix(model.starts_with(tuned) ? tuned.size() : 0);
    for (const char c : model) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
            std::string_view("-._~").find(c) != std::string_view::npos) {
            out += c;
        } else {
            constexpr std::string_view digits = "0123456789ABCDEF";
            out += {'%', digits[byte >> 4U], digits[byte & 15U]};
        }
    }
    return out;
}

std::string_view without_trailing_slashes(std::string_view url) {
    while (url.ends_with('/')) {
        url.remove_suffix(1);
    }
    return url;
}

}  // namespace

struct gemini::state {
    gemini_options options;
    sender send;

    [[nodiscard]] gemini_codec::advice advice() const { return {options.model, options.key_variable, options.model_variable}; }

    [[nodiscard]] failure redacted(failure error) const {
        error.message = gemini_codec::redact(std::move(error.message), options.api_key);
        error.hint = gemini_codec::redact(std::move(error.hint), options.api_key);
        return error;
    }

    [[nodiscard]] result<void> usable_key() const;
    [[nodiscard]] result<json> exchange(http_request request, const cancel_token& cancel);
};

result<void> gemini::state::usable_key() const {
    const std::string& variable = options.key_variable;
    if (options.api_key.empty()) {
        return failure{.code = errc::authentication,
                       .message = "no API key is set",
                       .hint = "No API key is set." + (variable.empty() ? std::string() : " Set " + variable + " to your key.")};
    }
    const bool printable = std::all_of(options.api_key.begin(), options.api_key.end(), [](char c) { return c > ' ' && c < '\x7f'; });
    if (!printable) {
        return failure{.code = errc::authentication,
                       .message = "the API key has characters that cannot be sent",
                       .hint = "The API key has spaces, control characters or letters that no key has." +
                               (variable.empty() ? std::string() : " Check " + variable + ".")};
    }
    return {};
}

result<json> gemini::state::exchange(http_request request, const cancel_token& cancel) {
    if (const result<void> usable = usable_key(); !usable) {
        return usable.error();
    }
    request.headers.push_back({"x-goog-api-key", options.api_key});
    request.max_response_bytes = options.max_response_bytes;
    result<http_response> response = send(request, cancel);
    if (!response) {
        failure error = std::move(response).error();
        if (error.hint.empty()) {
            error.hint = error.code == errc::timeout ? "The service did not answer in time." : "The service could not be reached.";
        }
        return redacted(std::move(error));
    }
    if (response->status != 200) {
        // Before anything is cut out of it: half a key is still a secret.
        response->body = gemini_codec::redact(std::move(response->body), options.api_key);
        return redacted(
            gemini_codec::decode_error(response->status, response->body, response->headers, advice(), std::chrono::system_clock::now()));
    }
    result<json> body = parse_json(response->body);
    if (!body) {
        const std::string beginning = one_line(gemini_codec::redact(std::move(response->body), options.api_key), 120);
        return redacted({.code = body.error().code,
                         .message = "the answer is no JSON document that can be taken (" + std::string(to_string(body.error().code)) +
                                    "): " + beginning,
                         .hint = "The service gave an answer that cannot be read."});
    }
    if (const json* error = find_member(*body, "error"); error != nullptr && error->is_object()) {
        return redacted(gemini_codec::decode_error_member(*error, advice()));
    }
    return body;
}

gemini::gemini(gemini_options options)
    : gemini(std::move(options),
             sender([transport = std::make_shared<https_transport>()](const http_request& request, const cancel_token& cancel) {
                 return transport->send(request, cancel);
             })) {}

gemini::gemini(gemini_options options, sender send) : state_(std::make_shared<state>()) {
    state_->options = std::move(options);
    state_->send = std::move(send);
}

const gemini_options& gemini::options() const noexcept {
    return state_->options;
}

result<model_response> gemini::complete(const model_request& request, const delta_sink&, const cancel_token& cancel) {
    const gemini_options& options = state_->options;
    http_request wire;
    wire.method = "POST";
    wire.url =
        std::string(without_trailing_slashes(options.base_url)) + model_path(options.api_version, options.model) + ":generateContent";
    wire.headers = {{"Content-Type", "application/json"}};
    wire.body = dump_json(gemini_codec::encode_request(request));
    wire.timeout = request.time_left;
    const result<json> body = state_->exchange(std::move(wire), cancel);
    if (!body) {
        return body.error();
    }
    return gemini_codec::decode_response(*body);
}

result<gemini_model_info> gemini::describe_model(duration timeout, const cancel_token& cancel) {
    const gemini_options& options = state_->options;
    http_request wire;
    wire.method = "GET";
    wire.url = std::string(without_trailing_slashes(options.base_url)) + model_path(options.api_version, options.model);
    wire.timeout = timeout;
    const result<json> body = state_->exchange(std::move(wire), cancel);
    if (!body) {
        return body.error();
    }
    std::string_view name = string_member(*body, "name").value_or("");
    if (name.empty()) {
        return failure{.code = errc::bad_response,
                       .message = "the description of the model has no name",
                       .hint = "The service gave an answer that cannot be read."};
    }
    name.remove_prefix(name.starts_with("models/") ? 7 : 0);
    gemini_model_info info;
    info.name = name;
    info.display_name = string_member(*body, "displayName").value_or("");
    if (const json* methods = find_member(*body, "supportedGenerationMethods"); methods != nullptr && methods->is_array()) {
        info.generates = std::find(methods->begin(), methods->end(), "generateContent") != methods->end();
    }
    info.calls_functions = info.generates && gemini_model_calls_functions(info.name);
    return info;
}

bool gemini_model_calls_functions(std::string_view model) noexcept {
    constexpr std::array<std::string_view, 13> others = {"embedding",  "-image",   "-tts",         "-live", "native-audio",
                                                         "transcribe", "robotics", "computer-use", "aqa",   "imagen",
                                                         "veo",        "lyria",    "nano-banana"};
    model.remove_prefix(model.starts_with("models/") ? 7 : 0);
    return model.starts_with("gemini-") &&
           std::none_of(others.begin(), others.end(), [&](std::string_view word) { return model.find(word) != std::string_view::npos; });
}

}  // namespace pyaichat::inline v0
