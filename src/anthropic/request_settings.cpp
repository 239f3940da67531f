#include "anthropic/request_settings.hpp"

#include "anthropic/wire.hpp"

#include <cmath>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

constexpr int smallest_budget = 1024;

template <class T>
void put_number(json& object, const char* name, const std::optional<T>& value) {
    if (value) {
        object[name] = *value;
    }
}

void put_text(json& object, const char* name, const std::string& value) {
    if (!value.empty()) {
        object[name] = value;
    }
}

result<void> check_thinking(const anthropic_options& options) {
    const anthropic_thinking& thinking = options.thinking;
    if (thinking.budget.has_value() != (thinking.type == "enabled")) {
        return invalid_request("a thinking budget belongs to the type `enabled`, and only to it",
                               "Set `thinking.type` to `enabled` together with a budget, or use `adaptive` without one.");
    }
    if (thinking.budget && (*thinking.budget < smallest_budget || *thinking.budget >= options.max_tokens)) {
        return invalid_request("a thinking budget of " + std::to_string(*thinking.budget) + " tokens is out of range",
                               "Give at least 1024 tokens and less than `max_tokens`.");
    }
    if (!thinking.display.empty() && thinking.type.empty()) {
        return invalid_request("`thinking.display` is set without `thinking.type`", "Set `thinking.type` to `adaptive`.");
    }
    return {};
}

result<void> check_settings(const anthropic_options& options) {
    if (options.max_tokens < 1) {
        return invalid_request("`max_tokens` is less than 1", "Give the maximum number of tokens of a response.");
    }
    const anthropic_generation& generation = options.generation;
    for (const auto& number : {generation.temperature, generation.top_p}) {
        if (number && !std::isfinite(*number)) {
            return invalid_request("a generation option is not a finite number", "Give a number, or leave the option unset.");
        }
    }
    if (!generation.more.is_null() && !generation.more.is_object()) {
        return invalid_request("`generation.more` is not an object", "Give an object with members of the request.");
    }
    for (const char* name : {"model", "messages", "system", "tools", "tool_choice", "stream", "max_tokens"}) {
        if (find_member(generation.more, name) != nullptr) {
            return invalid_request("`generation.more` has the member `" + std::string(name) + "`",
                                   "Leave it out: the provider writes this member itself.");
        }
    }
    return check_thinking(options);
}

}  // namespace

failure invalid_request(std::string message, std::string hint) {
    return {.code = errc::invalid_argument, .message = std::move(message), .hint = std::move(hint)};
}

result<request_settings> encode_settings(const anthropic_options& options) {
    if (const result<void> checked = check_settings(options); !checked) {
        return checked.error();
    }
    const anthropic_generation& generation = options.generation;
    json members = generation.more.is_object() ? generation.more : json::object();
    put_number(members, "temperature", generation.temperature);
    put_number(members, "top_p", generation.top_p);
    put_number(members, "top_k", generation.top_k);
    put_text(members, "service_tier", generation.service_tier);
    if (!generation.stop_sequences.empty()) {
        members["stop_sequences"] = generation.stop_sequences;
    }
    if (!generation.user_id.empty()) {
        members["metadata"] = {{"user_id", generation.user_id}};
    }
    if (options.cache != anthropic_cache::off) {
        members["cache_control"] = {{"type", "ephemeral"}};
        if (options.cache == anthropic_cache::one_hour) {
            members["cache_control"]["ttl"] = "1h";
        }
    }
    request_settings out;
    out.answer_schema = generation.response_schema;
    const json* const output = find_member(members, "output_config");
    out.output = output != nullptr && output->is_object() ? *output : json::object();
    put_text(out.output, "effort", options.thinking.effort);
    members.erase("output_config");
    append_member(out.shared, "model", options.model);
    if (!options.thinking.type.empty()) {
        json thinking = {{"type", options.thinking.type}};
        put_number(thinking, "budget_tokens", options.thinking.budget);
        put_text(thinking, "display", options.thinking.display);
        append_member(out.shared, "thinking", thinking);
        members.erase("thinking");
    }
    append_member(out.generation, "max_tokens", options.max_tokens);
    for (const auto& [name, value] : members.items()) {
        append_member(out.generation, name, value);
    }
    if (options.stream) {
        append_member(out.generation, "stream", true);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
