#include "openai/request_encoder.hpp"

#include "openai/declared_schema.hpp"
#include "openai/wire.hpp"

#include <pyaichat/openai/codec.hpp>

#include <algorithm>
#include <cmath>
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

json response_format(const openai_generation& generation) {
    json schema = json::object({{"name", generation.response_schema_name}, {"schema", generation.response_schema}});
    if (is_strict(generation.response_schema)) {
        schema["strict"] = true;
    }
    return json::object({{"json_schema", std::move(schema)}, {"type", "json_schema"}});
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

/// Encodes the members that do not depend on the request, each followed by a comma.
result<std::string> encode_settings(const openai_options& options) {
    if (const result<void> checked = check_settings(options); !checked) {
        return checked.error();
    }
    const openai_generation& generation = options.generation;
    json members = generation.more.is_object() ? generation.more : json::object();
    members["model"] = model_name(options);
    put(members, "temperature", generation.temperature);
    put(members, "top_p", generation.top_p);
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
    if (!generation.response_schema.is_null()) {
        members["response_format"] = response_format(generation);
    }
    if (options.stream) {
        members["stream"] = true;
        if (options.profile.stream_options) {
            members["stream_options"] = json::object({{"include_usage", true}});
        }
    }
    std::string out;
    for (const auto& [name, member] : members.items()) {
        append_member(out, name, member);
    }
    return out;
}

void append_declaration(std::string& out, const capability_spec& spec, const openai_profile& profile, bool strict) {
    json function = json::object({{"description", spec.description}, {"name", spec.name}});
    json parameters = declared_parameters(spec, profile);
    if (strict && is_strict(parameters)) {
        function["strict"] = true;
    }
    if (!parameters.is_null()) {
        function["parameters"] = std::move(parameters);
    }
    append_comma(out);
    append_json(out, json::object({{"function", std::move(function)}, {"type", "function"}}), max_json_depth + 2);
}

}  // namespace

request_encoder::request_encoder(const openai_options& options)
    : style_{.writer = wire_writer(options), .profile = options.profile},
      settings_(encode_settings(options)),
      has_effort_(!options.generation.reasoning_effort.empty()) {}

result<void> request_encoder::append_functions(std::string& out, const model_request& request, const messages_text& messages) {
    if (request.declarations.empty()) {
        return {};
    }
    const bool strict = request.mode == tool_mode::validated && style_.profile.strict_tools;
    detail::declaration_cache& cache = strict ? strict_functions_ : functions_;
    const auto declared = cache.get(request.declarations, [&](std::string& text, const capability_spec& spec) {
        append_declaration(text, spec, style_.profile, strict);
        return result<void>();
    });
    if (!declared) {
        return declared.error();
    }
    out += R"("tools":[)";
    out += **declared;
    out += "],";
    // A model that must call would call after every reply and never answer.
    const bool required = request.mode == tool_mode::required && !messages.answers_calls();
    if (required && !style_.profile.required_choice.empty()) {
        append_member(out, "tool_choice", style_.profile.required_choice);
    } else if (request.mode == tool_mode::none) {
        append_member(out, "tool_choice", "none");
    }
    if (style_.profile.parallel_calls) {
        append_member(out, "parallel_tool_calls", *style_.profile.parallel_calls);
    }
    return {};
}

result<std::string> request_encoder::encode(const model_request& request, std::string_view effort) {
    if (!settings_) {
        return settings_.error();
    }
    auto known = histories_.take(request.messages);
    for (std::size_t i = known.messages.size(); i < request.messages.size(); ++i) {
        known.text.add(request.messages[i], style_);
    }
    known.messages = request.messages;
    if (known.text.empty()) {
        return invalid("the conversation has no user text and no reply to send", "Ask a question with text.");
    }
    std::string body;
    body.reserve(known.text.size() + request.instructions.size() + settings_->size() + 4096);
    body += '{';
    body += *settings_;
    if (!effort.empty() && !has_effort_) {
        append_member(body, "reasoning_effort", effort);
    }
    if (const result<void> done = append_functions(body, request, known.text); !done) {
        return done.error();
    }
    body += R"("messages":[)";
    if (!request.instructions.empty()) {
        append_json(body, json::object({{"content", request.instructions}, {"role", style_.profile.system_role}}));
    }
    known.text.append_to(body, style_);
    body += "]}";
    histories_.keep(std::move(known));
    return body;
}

result<std::string> encode_request(const model_request& request, const openai_options& options) {
    return request_encoder(options).encode(request);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
