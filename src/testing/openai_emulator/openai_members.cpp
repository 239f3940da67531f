#include "testing/openai_emulator/openai_rules.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::string_view known_members =
    "model messages tools tool_choice parallel_tool_calls stream stream_options max_completion_tokens max_tokens temperature top_p stop "
    "response_format reasoning_effort verbosity seed n frequency_penalty presence_penalty logit_bias logprobs top_logprobs service_tier "
    "metadata store prompt_cache_key prompt_cache_options prompt_cache_retention safety_identifier user moderation modalities audio "
    "prediction "
    "web_search_options functions function_call";

struct number_range {
    const char* name;
    double least;
    double most;
};

std::optional<service_refusal> check_stream(const json& request) {
    for (const char* name : {"stream", "parallel_tool_calls"}) {
        const json* member = find_member(request, name);
        if (member != nullptr && !member->is_boolean()) {
            return openai_invalid("Invalid type for '" + std::string(name) + "': expected a boolean.", name, "invalid_type");
        }
    }
    const json* options = find_member(request, "stream_options");
    if (options != nullptr && !bool_member(request, "stream").value_or(false)) {
        return openai_invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options");
    }
    if (options != nullptr) {
        if (const std::string name = unknown_member(*options, "include_usage include_obfuscation"); !name.empty()) {
            return openai_invalid("Unknown parameter: 'stream_options." + name + "'.", "stream_options." + name, "unknown_parameter");
        }
    }
    return std::nullopt;
}

}  // namespace

std::string unknown_member(const json& object, std::string_view words) {
    const std::string list = " " + std::string(words) + " ";
    for (const auto& [name, member] : object.items()) {
        if (list.find(" " + name + " ") == list.npos) {
            return name;
        }
    }
    return {};
}

std::optional<service_refusal> check_openai_numbers(const json& request) {
    constexpr std::array<number_range, 4> ranges = {
        {{"temperature", 0, 2}, {"top_p", 0, 1}, {"presence_penalty", -2, 2}, {"frequency_penalty", -2, 2}}};
    for (const auto& [name, least, most] : ranges) {
        const json* member = find_member(request, name);
        if (member == nullptr) {
            continue;
        }
        const auto number = as_number(*member);
        if (!number) {
            return openai_invalid("Invalid type for '" + std::string(name) + "': expected a decimal.", name, "invalid_type");
        }
        if (*number > most) {
            return openai_invalid("Invalid '" + std::string(name) + "': decimal above maximum value. Expected a value <= " +
                                      dump_json(most) + ", but got " + dump_json(*number) + " instead.",
                                  name, "decimal_above_max_value");
        }
        if (*number < least) {
            return openai_invalid("Invalid '" + std::string(name) + "': decimal below minimum value.", name, "decimal_below_min_value");
        }
    }
    for (const char* name : {"max_completion_tokens", "max_tokens", "max_output_tokens"}) {
        const json* member = find_member(request, name);
        if (member != nullptr && as_integer(*member).value_or(0) < 1) {
            return openai_invalid("Invalid '" + std::string(name) + "': integer below minimum value.", name, "integer_below_min_value");
        }
    }
    return std::nullopt;
}

std::optional<service_refusal> check_openai_members(const json& request) {
    if (const std::string name = unknown_member(request, known_members); !name.empty()) {
        return openai_invalid("Unrecognized request argument supplied: " + name);
    }
    for (const char* name : {"model", "messages"}) {
        const json* member = find_member(request, name);
        if (member == nullptr) {
            return openai_invalid("Missing required parameter: '" + std::string(name) + "'.", name, "missing_required_parameter");
        }
        if (member->is_string() != (std::string_view(name) == "model") || (!member->is_string() && !member->is_array())) {
            return openai_invalid("Invalid type for '" + std::string(name) + "'.", name, "invalid_type");
        }
    }
    if (find_member(request, "functions") != nullptr || find_member(request, "function_call") != nullptr) {
        return openai_invalid("'functions' and 'function_call' are deprecated; use 'tools'.");
    }
    if (auto refusal = check_stream(request)) {
        return refusal;
    }
    return check_openai_numbers(request);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
