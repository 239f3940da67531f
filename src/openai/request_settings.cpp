#include "openai/request_settings.hpp"

#include "openai/wire.hpp"

#include <pyaichat/openai/codec.hpp>

#include <cmath>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

failure invalid(std::string message, std::string hint) {
    return {.code = errc::invalid_argument, .message = std::move(message), .hint = std::move(hint)};
}

template <class T>
void put(json& object, const std::string& name, const std::optional<T>& value) {
    if (value) {
        object[name] = *value;
    }
}

/// The members that only Chat Completions has, or has under this name.
void put_chat(json& members, const openai_options& options) {
    const openai_generation& generation = options.generation;
    put(members, options.profile.token_limit_member, generation.max_output_tokens);
    put(members, "seed", generation.seed);
    put(members, "presence_penalty", generation.presence_penalty);
    put(members, "frequency_penalty", generation.frequency_penalty);
    if (!generation.stop_sequences.empty()) {
        members["stop"] = generation.stop_sequences;
    }
    if (!generation.reasoning_effort.empty()) {
        members["reasoning_effort"] = generation.reasoning_effort;
    }
    if (options.stream && options.profile.stream_options) {
        members["stream_options"] = json::object({{"include_usage", true}});
    }
    members.erase("response_format");  // see `answer_format`
}

/// The members of the Responses API. The service keeps nothing, so its reasoning has to come back encrypted.
void put_responses(json& members, const openai_options& options) {
    const openai_generation& generation = options.generation;
    members["store"] = false;
    members["include"] = json::array({"reasoning.encrypted_content"});
    put(members, "max_output_tokens", generation.max_output_tokens);
    if (!generation.reasoning_effort.empty()) {
        members["reasoning"] = json::object({{"effort", generation.reasoning_effort}});
    }
    members.erase("text");  // see `answer_format`
}

result<void> check_settings(const openai_options& options) {
    const openai_generation& generation = options.generation;
    if (model_name(options).empty()) {
        return invalid("no model is set",
                       "Choose a model." + (options.model_variable.empty() ? std::string() : " Set " + options.model_variable + "."));
    }
    if (!generation.more.is_null() && !generation.more.is_object()) {
        return invalid("`generation.more` is not an object", "Give an object with members of the request.");
    }
    for (const auto& number : {generation.temperature, generation.top_p, generation.presence_penalty, generation.frequency_penalty}) {
        if (number && !std::isfinite(*number)) {
            return invalid("a generation option is not a finite number", "Give a number, or leave the option unset.");
        }
    }
    return {};
}

}  // namespace

result<std::string> encode_settings(const openai_options& options) {
    if (const result<void> checked = check_settings(options); !checked) {
        return checked.error();
    }
    const openai_generation& generation = options.generation;
    json members = generation.more.is_object() ? generation.more : json::object();
    members["model"] = model_name(options);
    put(members, "temperature", generation.temperature);
    put(members, "top_p", generation.top_p);
    if (options.stream) {
        members["stream"] = true;
    }
    if (uses_responses(options)) {
        put_responses(members, options);
    } else {
        put_chat(members, options);
    }
    std::string out;
    for (const auto& [name, member] : members.items()) {
        append_member(out, name, member);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
