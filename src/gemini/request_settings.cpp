#include "gemini/request_settings.hpp"

#include "gemini/raw_members.hpp"
#include "gemini/wire.hpp"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

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
        return invalid_request("a thinking budget and a thinking level are set", "Set one of them: the service refuses both together.");
    }
    if (!generation.more.is_null() && !generation.more.is_object()) {
        return invalid_request("`generation.more` is not an object", "Give an object with members of generationConfig.");
    }
    for (const auto& number : {generation.temperature, generation.top_p, generation.presence_penalty, generation.frequency_penalty}) {
        if (number && !std::isfinite(*number)) {
            return invalid_request("a generation option is not a finite number", "Give a number, or leave the option unset.");
        }
    }
    return {};
}

/// Merges the members of `raw` into `generation`. A member has one source.
result<void> merge_generation(json& generation, const json& raw) {
    for (const auto& [name, member] : raw.items()) {
        if (generation.contains(name)) {
            return invalid_request("`raw_members`: `generationConfig." + name + "` is also set by the option `generation`",
                                   "Set it in one place.");
        }
        generation[name] = member;
    }
    return {};
}

result<json> safety_settings(const std::vector<gemini_safety>& options, const json& raw) {
    json out = json::array();
    for (const gemini_safety& setting : options) {
        out.push_back({{"category", setting.category}, {"threshold", setting.threshold}});
    }
    out.insert(out.end(), raw.begin(), raw.end());
    std::set<std::string> categories;
    for (const json& setting : out) {
        if (const std::string category = string_of(setting, "category"); !categories.insert(category).second) {
            return invalid_request("two safety settings for " + category, "Give one setting per category.");
        }
    }
    return out;
}

}  // namespace

failure invalid_request(std::string message, std::string hint) {
    return {.code = errc::invalid_argument, .message = std::move(message), .hint = std::move(hint)};
}

result<request_settings> read_settings(const gemini_options& options) {
    if (const result<void> checked = check_settings(options); !checked) {
        return checked.error();
    }
    result<raw_members> raw = sort_raw_members(options.raw_members);
    if (!raw) {
        return raw.error();
    }
    request_settings out;
    out.generation = generation_config(options.generation);
    if (const result<void> merged = merge_generation(out.generation, raw->generation); !merged) {
        return merged.error();
    }
    if (!out.generation.empty()) {
        append_member(out.generation_text, "generationConfig", out.generation);
    }
    const result<json> safety = safety_settings(options.safety, raw->safety);
    if (!safety) {
        return safety.error();
    }
    if (!safety->empty()) {
        append_member(out.others, "safetySettings", *safety);
    }
    for (const auto& [name, member] : raw->other.items()) {
        append_member(out.others, name, member);
    }
    for (const json& tool : raw->tools) {
        append_comma(out.tools);
        append_json(out.tools, tool);
    }
    if (!raw->tool_config.empty()) {
        append_member(out.tool_config, "toolConfig", raw->tool_config);
    }
    if (!out.tools.empty() && !raw->tool_config.contains("includeServerSideToolInvocations")) {
        raw->tool_config["includeServerSideToolInvocations"] = true;  // the service demands it beside functions
    }
    for (const auto& [name, member] : raw->tool_config.items()) {
        append_member(out.tool_members, name, member);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
