#include "testing/gemini_emulator/gemini_rules.hpp"

#include "testing/gemini_emulator/gemini_shape.hpp"

#include <array>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using finding = std::optional<std::string>;

constexpr std::int64_t max_output_tokens_without_streaming = 32768;  // Gemini 4

bool uses_builtins(const json& request) {
    constexpr std::array<const char*, 8> builtins = {"googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext", "googleMaps",
                                                     "fileSearch",   "computerUse",           "mcpServers"};
    const json* tools = proto_member(request, "tools");
    for (std::size_t index = 0; tools != nullptr && index < tools->size(); ++index) {
        for (const char* name : builtins) {
            if (proto_member((*tools)[index], name) != nullptr) {
                return true;
            }
        }
    }
    return false;
}

finding check_thinking(const json& thinking, std::string_view model, const gemini_profile& profile) {
    const json* budget = proto_member(thinking, "thinkingBudget");
    const std::string level = proto_text(thinking, "thinkingLevel");
    if (budget != nullptr && !level.empty()) {
        return "You can only set one of thinking budget and thinking level.";
    }
    if (budget != nullptr && !profile.takes_thinking_budget) {
        return "Thinking budget is not supported for this model.";
    }
    if (!level.empty() && !profile.takes_thinking_level) {
        return "Thinking level is not supported for this model.";
    }
    if ((level == "MINIMAL" || level == "minimal") && !profile.takes_minimal_thinking) {
        return "Thinking level MINIMAL is not supported for this model.";
    }
    if (level == "xhigh" && model != "gemini-4-hydrogen") {
        return "Thinking level xhigh is not supported for this model.";
    }
    return std::nullopt;
}

finding check_output_form(const json& request, const json& config, const gemini_profile& profile) {
    const std::string mime = proto_text(config, "responseMimeType");
    const bool subset = proto_member(config, "responseSchema") != nullptr;
    const bool schema = proto_member(config, "responseJsonSchema") != nullptr;
    if (subset && schema) {
        return "Only one of response_schema and response_json_schema can be set.";
    }
    if ((subset && mime != "application/json" && mime != "text/x.enum") || (schema && mime != "application/json")) {
        return "A response schema needs the response mime type 'application/json'.";
    }
    if (mime != "application/json" || !declares_functions(request)) {
        return std::nullopt;
    }
    const json* calling = calling_config(request);
    const std::string mode = calling == nullptr ? std::string() : proto_text(*calling, "mode");
    if (!profile.takes_json_with_functions || (!mode.empty() && mode != "AUTO")) {
        return "Function calling with a response mime type: 'application/json' is unsupported";
    }
    return std::nullopt;
}

finding check_config(const json& request, const json& config, std::string_view model, const gemini_profile& profile, bool streamed) {
    if (const json* thinking = proto_member(config, "thinkingConfig")) {
        if (finding found = check_thinking(*thinking, model, profile)) {
            return found;
        }
    }
    for (const char* penalty : {"presencePenalty", "frequencyPenalty"}) {
        const json* value = proto_member(config, penalty);
        if (value != nullptr && as_number(*value) != 0.0 && !profile.takes_penalties) {
            return "Penalty is not enabled for this model.";
        }
    }
    if (const json* value = proto_member(config, "temperature"); value != nullptr && (as_number(*value) < 0.0 || as_number(*value) > 2.0)) {
        return "Unable to submit request because it has a temperature value out of the supported range from 0 to 2.";
    }
    if (const json* value = proto_member(config, "stopSequences"); value != nullptr && value->size() > 5) {
        return "Unable to submit request because it has more than 5 stop sequences.";
    }
    if (const json* value = proto_member(config, "maxOutputTokens"); value != nullptr && !streamed && profile.name.starts_with("4") &&
                                                                     as_integer(*value) > max_output_tokens_without_streaming &&
                                                                     proto_member(request, "continuationToken") == nullptr) {
        return "Unable to submit request because max_output_tokens is above 32768 in a request without streaming.";
    }
    return check_output_form(request, config, profile);
}

finding check_safety(const json& settings) {
    std::set<std::string> seen;
    for (const json& setting : settings) {
        if (const std::string category = proto_text(setting, "category"); !seen.insert(category).second) {
            return "safety_settings: more than one entry for the category " + category + ".";
        }
    }
    return std::nullopt;
}

finding check_response_parts(const json& contents) {
    for (const json& content : contents) {
        for (const json& part : *proto_member(content, "parts")) {
            const json* response = proto_member(part, "functionResponse");
            if (response != nullptr && proto_member(*response, "parts") != nullptr) {
                return "Unable to submit request because `function_response.parts` is not supported for this model";
            }
        }
    }
    return std::nullopt;
}

finding check_builtins(const json& request, const gemini_profile& profile) {
    if (!declares_functions(request) || !uses_builtins(request)) {
        return std::nullopt;
    }
    const json* tool_config = proto_member(request, "toolConfig");
    const json* included = tool_config == nullptr ? nullptr : proto_member(*tool_config, "includeServerSideToolInvocations");
    if (!profile.takes_builtins_with_functions || included == nullptr || as_bool(*included) != true) {
        return "Built-in tools and function calling cannot be combined in this request.";
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> check_gemini_abilities(const json& request, std::string_view model, const gemini_profile& profile,
                                                  bool streamed) {
    finding found;
    if (const json* config = proto_member(request, "generationConfig")) {
        found = check_config(request, *config, model, profile, streamed);
    }
    if (const json* safety = proto_member(request, "safetySettings"); !found && safety != nullptr) {
        found = check_safety(*safety);
    }
    if (!found && !profile.takes_response_parts) {
        found = check_response_parts(*proto_member(request, "contents"));
    }
    return found ? found : check_builtins(request, profile);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
