#include "testing/gemini_emulator/gemini_rules.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using finding = std::optional<std::string>;

constexpr std::int64_t max_output_tokens_without_streaming = 32768;  // Gemini 4

bool uses_builtins(const json& request) {
    constexpr std::array<const char*, 8> builtins = {"googleSearch", "googleSearchRetrieval", "codeExecution", "urlContext", "googleMaps",
                                                     "fileSearch",   "computerUse",           "mcpServers"};
    const json& tools = proto_member(request, "tools");
    return std::any_of(tools.begin(), tools.end(), [&](const json& tool) {
        return std::any_of(builtins.begin(), builtins.end(), [&](const char* name) { return !proto_member(tool, name).is_null(); });
    });
}

struct number_range {
    const char* name;  ///< of a member of `generationConfig`
    double low;
    double high;
};

/// Section 6. The ranges of `topP` and `candidateCount` are general knowledge.
constexpr std::array<number_range, 6> number_ranges = {{
    {"temperature", 0, 2},
    {"topP", 0, 1},
    {"topK", 1, INT32_MAX},
    {"maxOutputTokens", 1, INT32_MAX},
    {"candidateCount", 1, 8},
    {"logprobs", 0, 20},
}};

std::string out_of_range(const std::string& label, double low, double high) {
    const auto text = [](double number) { return dump_json(json(static_cast<std::int64_t>(number))); };
    return "Unable to submit request because it has a " + label + " value out of the supported range from " + text(low) + " to " +
           text(high) + ".";
}

finding check_numbers(const json& config) {
    for (const number_range& range : number_ranges) {
        const std::optional<double> number = as_number(proto_member(config, range.name));
        if (number && !(*number >= range.low && *number <= range.high)) {
            return out_of_range(range.name, range.low, range.high);
        }
    }
    return std::nullopt;
}

/// The budgets of section 6.1, whose ranges are known for 2.5 only. -1 lets the model decide; 0 switches thinking off.
finding check_budget(std::int64_t budget, std::string_view model) {
    const bool known = model.starts_with("gemini-2.5-");
    const bool pro = known && model.find("-pro") != std::string_view::npos;
    const bool lite = known && model.find("-flash-lite") != std::string_view::npos;
    if (budget == -1 || (budget == 0 && !pro)) {
        return std::nullopt;
    }
    const std::int64_t low = pro ? 128 : lite ? 512 : 0;
    const std::int64_t high = !known ? INT32_MAX : pro ? 32768 : 24576;
    if (budget < low || budget > high) {
        return out_of_range("thinking budget", static_cast<double>(low), static_cast<double>(high));
    }
    return std::nullopt;
}

finding check_thinking(const json& thinking, std::string_view model, const gemini_profile& profile) {
    const std::optional<std::int64_t> budget = as_integer(proto_member(thinking, "thinkingBudget"));
    const std::string level = proto_text(thinking, "thinkingLevel");
    if (budget && !level.empty()) {
        return "You can only set one of thinking budget and thinking level.";
    }
    if (budget && !profile.takes_thinking_budget) {
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
    return budget ? check_budget(*budget, model) : std::nullopt;
}

finding check_output_form(const json& request, const json& config, const gemini_profile& profile) {
    const std::string mime = proto_text(config, "responseMimeType");
    const bool subset = !proto_member(config, "responseSchema").is_null();
    const bool schema = !proto_member(config, "responseJsonSchema").is_null();
    if (subset && schema) {
        return "Only one of response_schema and response_json_schema can be set.";
    }
    if ((subset && mime != "application/json" && mime != "text/x.enum") || (schema && mime != "application/json")) {
        return "A response schema needs the response mime type 'application/json'.";
    }
    if (finding found = schema ? check_gemini_answer_schema(proto_member(config, "responseJsonSchema")) : std::nullopt) {
        return found;
    }
    if (mime != "application/json" || !declares_functions(request)) {
        return std::nullopt;
    }
    const std::string mode = proto_text(calling_config(request), "mode");
    if (!profile.takes_json_with_functions || (!mode.empty() && mode != "AUTO")) {
        return "Function calling with a response mime type: 'application/json' is unsupported";
    }
    return std::nullopt;
}

finding check_config(const json& request, const json& config, std::string_view model, const gemini_profile& profile, bool streamed) {
    if (finding found = check_thinking(proto_member(config, "thinkingConfig"), model, profile)) {
        return found;
    }
    for (const char* penalty : {"presencePenalty", "frequencyPenalty"}) {
        if (as_number(proto_member(config, penalty)).value_or(0.0) != 0.0 && !profile.takes_penalties) {
            return "Penalty is not enabled for this model.";
        }
    }
    if (finding found = check_numbers(config)) {
        return found;
    }
    if (proto_member(config, "stopSequences").size() > 5) {
        return "Unable to submit request because it has more than 5 stop sequences.";
    }
    if (!streamed && profile.name.starts_with("4") && proto_member(request, "continuationToken").is_null() &&
        as_integer(proto_member(config, "maxOutputTokens")) > max_output_tokens_without_streaming) {
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
        for (const json& part : proto_member(content, "parts")) {
            if (!proto_member(proto_member(part, "functionResponse"), "parts").is_null()) {
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
    const json& included = proto_member(proto_member(request, "toolConfig"), "includeServerSideToolInvocations");
    if (!profile.takes_builtins_with_functions || as_bool(included) != true) {
        return "Built-in tools and function calling cannot be combined in this request.";
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> check_gemini_abilities(const json& request, std::string_view model, const gemini_profile& profile,
                                                  bool streamed) {
    finding found = check_config(request, proto_member(request, "generationConfig"), model, profile, streamed);
    if (!found) {
        found = check_safety(proto_member(request, "safetySettings"));
    }
    if (!found && !profile.takes_response_parts) {
        found = check_response_parts(proto_member(request, "contents"));
    }
    if (!found) {
        found = check_gemini_images(proto_member(request, "contents"));
    }
    return found ? found : check_builtins(request, profile);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
