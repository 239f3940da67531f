#include "gemini/request_encoder.hpp"

#include "gemini/wire.hpp"

#include <pyaichat/gemini/closed_schema.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

failure invalid(std::string message, std::string hint) {
    return {.code = errc::invalid_argument, .message = std::move(message), .hint = std::move(hint)};
}

template <class T>
void put(json& object, const char* name, const std::optional<T>& value) {
    if (value) {
        object[name] = *value;
    }
}

void put(json& object, const char* name, const std::string& value) {
    if (!value.empty()) {
        object[name] = value;
    }
}

json generation_config(const gemini_generation& generation) {
    json out = generation.more.is_object() ? generation.more : json::object();
    put(out, "temperature", generation.temperature);
    put(out, "topP", generation.top_p);
    put(out, "topK", generation.top_k);
    put(out, "maxOutputTokens", generation.max_output_tokens);
    put(out, "candidateCount", generation.candidate_count);
    put(out, "seed", generation.seed);
    put(out, "presencePenalty", generation.presence_penalty);
    put(out, "frequencyPenalty", generation.frequency_penalty);
    put(out, "responseMimeType", generation.response_mime_type);
    put(out, "mediaResolution", generation.media_resolution);
    if (!generation.stop_sequences.empty()) {
        out["stopSequences"] = generation.stop_sequences;
    }
    if (!generation.response_json_schema.is_null()) {
        out["responseJsonSchema"] = generation.response_json_schema;
    }
    json thinking = json::object();
    put(thinking, "includeThoughts", generation.thinking.include_thoughts);
    put(thinking, "thinkingBudget", generation.thinking.budget);
    put(thinking, "thinkingLevel", generation.thinking.level);
    if (!thinking.empty()) {
        out["thinkingConfig"] = std::move(thinking);
    }
    return out;
}

result<void> check_settings(const gemini_options& options) {
    const gemini_generation& generation = options.generation;
    if (generation.thinking.budget && !generation.thinking.level.empty()) {
        return invalid("a thinking budget and a thinking level are set", "Set one of them: the service refuses both together.");
    }
    if (!generation.more.is_null() && !generation.more.is_object()) {
        return invalid("`generation.more` is not an object", "Give an object with members of generationConfig.");
    }
    for (const auto& number : {generation.temperature, generation.top_p, generation.presence_penalty, generation.frequency_penalty}) {
        if (number && !std::isfinite(*number)) {
            return invalid("a generation option is not a finite number", "Give a number, or leave the option unset.");
        }
    }
    std::set<std::string_view> categories;
    for (const gemini_safety& setting : options.safety) {
        if (!categories.insert(setting.category).second) {
            return invalid("two safety settings for " + setting.category, "Give one setting per category.");
        }
    }
    return {};
}

/// Encodes `generationConfig` and `safetySettings` if they are set, each followed by a comma. Fails with `invalid_argument` for options
/// that the service refuses for every model.
result<std::string> encode_settings(const gemini_options& options) {
    if (const result<void> checked = check_settings(options); !checked) {
        return checked.error();
    }
    std::string out;
    if (const json config = generation_config(options.generation); !config.empty()) {
        append_member(out, "generationConfig", config);
    }
    if (!options.safety.empty()) {
        json settings = json::array();
        for (const gemini_safety& setting : options.safety) {
            settings.push_back({{"category", setting.category}, {"threshold", setting.threshold}});
        }
        append_member(out, "safetySettings", settings);
    }
    return out;
}

result<void> append_declaration(std::string& out, const capability_spec& spec, gemini_parameters form) {
    json function = {{"description", spec.description}, {"name", spec.name}};
    if (spec.parameters.is_object() && form == gemini_parameters::json_schema) {
        function["parametersJsonSchema"] = spec.parameters;
    } else if (spec.parameters.is_object()) {
        result<json> closed = closed_schema(spec.parameters);
        if (!closed) {
            failure error = closed.error();
            error.message = "the parameters of `" + spec.name + "` cannot be declared in the closed form: " + error.message;
            return error;
        }
        if (!closed->is_null()) {
            function["parameters"] = *std::move(closed);
        }
    }
    append_comma(out);
    append_json(out, function, max_json_depth + 1);
    return {};
}

gemini_tool_mode mode_of(tool_mode wanted, gemini_tool_mode otherwise) noexcept {
    switch (wanted) {
        case tool_mode::required: return gemini_tool_mode::any;
        case tool_mode::none: return gemini_tool_mode::none;
        case tool_mode::validated: return gemini_tool_mode::validated;
        case tool_mode::automatic: break;
    }
    return otherwise;
}

}  // namespace

request_encoder::request_encoder(const gemini_options& options)
    : style_{.writer = wire_writer(options.model), .call_ids = options.call_ids == gemini_call_ids::automatic},
      parameters_(options.parameters),
      mode_(options.tool_mode),
      allowed_functions_(options.allowed_functions),
      settings_(encode_settings(options)) {}

result<json> request_encoder::tool_config(const model_request& request, const contents_text& contents) const {
    gemini_tool_mode mode = mode_of(request.mode, mode_);
    if (mode == gemini_tool_mode::any && contents.answers_calls()) {
        mode = gemini_tool_mode::automatic;  // otherwise the model would call after every reply and never answer
    }
    constexpr std::array<std::string_view, 4> names = {"AUTO", "ANY", "NONE", "VALIDATED"};
    json config = {{"mode", names[static_cast<std::size_t>(mode)]}};
    if (mode == gemini_tool_mode::any || mode == gemini_tool_mode::validated) {
        for (const std::string& name : allowed_functions_) {
            if (request.declarations.find(name) == nullptr) {
                return invalid("the allowed function `" + name + "` is not declared", "Allow only functions that are declared.");
            }
            config["allowedFunctionNames"].push_back(name);
        }
    }
    return config;
}

result<std::string> request_encoder::encode(const model_request& request) {
    if (!settings_) {
        return settings_.error();
    }
    const result<detail::declaration_cache::text> declared = functions_.get(
        request.declarations, [this](std::string& out, const capability_spec& spec) { return append_declaration(out, spec, parameters_); });
    if (!declared) {
        return declared.error();
    }
    const std::string& functions = **declared;
    auto known = histories_.take(request.messages);
    for (std::size_t i = known.messages.size(); i < request.messages.size(); ++i) {
        known.text.add(request.messages[i], style_);
    }
    known.messages = request.messages;
    if (known.text.empty()) {
        return invalid("the conversation has no user text and no reply to send", "Ask a question with text.");
    }
    std::string body;
    body.reserve(known.text.size() + functions.size() + request.instructions.size() + settings_->size() + 512);
    body += '{';
    body += *settings_;
    if (!request.instructions.empty()) {
        append_member(body, "systemInstruction", {{"parts", json::array({{{"text", request.instructions}}})}});
    }
    if (!request.declarations.empty()) {
        const result<json> config = tool_config(request, known.text);
        if (!config) {
            return config.error();
        }
        append_member(body, "toolConfig", {{"functionCallingConfig", *config}});
        body += R"("tools":[{"functionDeclarations":[)";
        body += functions;
        body += "]}],";
    }
    body += R"("contents":[)";
    known.text.append_to(body, style_);
    body += "]}";
    histories_.keep(std::move(known));
    return body;
}

result<std::string> encode_request(const model_request& request, const gemini_options& options) {
    return request_encoder(options).encode(request);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
