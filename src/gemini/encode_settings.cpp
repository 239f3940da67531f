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

json generation_config(const gemini_generation& wanted) {
    json out = wanted.more.is_object() ? wanted.more : json::object();
    put(out, "temperature", wanted.temperature);
    put(out, "topP", wanted.top_p);
    put(out, "topK", wanted.top_k);
    put(out, "maxOutputTokens", wanted.max_output_tokens);
    put(out, "candidateCount", wanted.candidate_count);
    put(out, "seed", wanted.seed);
    put(out, "presencePenalty", wanted.presence_penalty);
    put(out, "frequencyPenalty", wanted.frequency_penalty);
    put(out, "responseMimeType", wanted.response_mime_type);
    put(out, "mediaResolution", wanted.media_resolution);
    if (!wanted.stop_sequences.empty()) {
        out["stopSequences"] = wanted.stop_sequences;
    }
    if (!wanted.response_json_schema.is_null()) {
        out["responseJsonSchema"] = wanted.response_json_schema;
    }
    if (json thinking = thinking_config(wanted.thinking); !thinking.empty()) {
        out["thinkingConfig"] = std::move(thinking);
    }
    return out;
}

result<void> check(const gemini_options& options) {
    const gemini_generation& wanted = options.generation;
    if (wanted.thinking.budget && !wanted.thinking.level.empty()) {
        return refused("a thinking budget and a thinking level are set", "Set one of them: the service refuses both together.");
    }
    if (!wanted.more.is_null() && !wanted.more.is_object()) {
        return refused("`generation.more` is no object", "Give an object of members of generationConfig.");
    }
    for (const auto& number : {wanted.temperature, wanted.top_p, wanted.presence_penalty, wanted.frequency_penalty}) {
        if (number && !std::isfinite(*number)) {
            return refused("a generation option is not a finite number", "Give a number, or leave the option unset.");
        }
    }
    std::set<std::string_view> categories;
    for (const gemini_safety& one : options.safety) {
        if (!categories.insert(one.category).second) {
            return refused("two safety settings for " + one.category, "Give one for each category.");
        }
    }
    return {};
}

}  // namespace

result<std::string> encode_settings(const gemini_options& options) {
    if (const result<void> fine = check(options); !fine) {
        return fine.error();
    }
    std::string out;
    if (const json config = generation_config(options.generation); !config.empty()) {
        out += R"("generationConfig":)";
        append_json(out, config);
        out += ',';
    }
    if (!options.safety.empty()) {
        json settings = json::array();
        for (const gemini_safety& one : options.safety) {
            settings.push_back(json::object({{"category", one.category}, {"threshold", one.threshold}}));
        }
        out += R"("safetySettings":)";
        append_json(out, settings);
        out += ',';
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
