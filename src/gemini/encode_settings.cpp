#include "gemini/encode_settings.hpp"

#include "gemini/json_text.hpp"

#include <cmath>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

failure refused(std::string message, std::string hint) {
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

json thinking_config(const gemini_thinking& thinking) {
    json out = json::object();
    put(out, "includeThoughts", thinking.include_thoughts);
    put(out, "thinkingBudget", thinking.budget);
    put(out, "thinkingLevel", thinking.level);
    return out;
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
    if (json thinking = thinking_config(generation.thinking); !thinking.empty()) {
        out["thinkingConfig"] = std::move(thinking);
    }
    return out;
}

result<void> check(const gemini_options& options) {
    const gemini_generation& generation = options.generation;
    if (generation.thinking.budget && !generation.thinking.level.empty()) {
        return refused("a thinking budget and a thinking level are set", "Set one of them: the service refuses both together.");
    }
    if (!generation.more.is_null() && !generation.more.is_object()) {
        return refused("`generation.more` is not an object", "Give an object with members of generationConfig.");
    }
    for (const auto& number : {generation.temperature, generation.top_p, generation.presence_penalty, generation.frequency_penalty}) {
        if (number && !std::isfinite(*number)) {
            return refused("a generation option is not a finite number", "Give a number, or leave the option unset.");
        }
    }
    std::set<std::string_view> categories;
    for (const gemini_safety& setting : options.safety) {
        if (!categories.insert(setting.category).second) {
            return refused("two safety settings for " + setting.category, "Give one setting per category.");
        }
    }
    return {};
}

}  // namespace

result<std::string> encode_settings(const gemini_options& options) {
    if (const result<void> checked = check(options); !checked) {
        return checked.error();
    }
    std::string out;
    if (const json config = generation_config(options.generation); !config.empty()) {
        out += R"("generationConfig":)";
        append_json(out, config);
        out += ',';
    }
    if (!options.safety.empty()) {
        json settings = json::array();
        for (const gemini_safety& setting : options.safety) {
            settings.push_back(json::object({{"category", setting.category}, {"threshold", setting.threshold}}));
        }
        out += R"("safetySettings":)";
        append_json(out, settings);
        out += ',';
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
