#include "testing/openai_emulator/openai_rules.hpp"

#include <algorithm>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::string_view members_of_response_request =
    "model input instructions tools tool_choice parallel_tool_calls store include stream stream_options max_output_tokens reasoning text "
    "temperature top_p previous_response_id metadata truncation service_tier prompt_cache_key prompt_cache_options prompt_cache_retention "
    "safety_identifier user background conversation prompt max_tool_calls top_logprobs context_management moderation";

constexpr std::string_view includable =
    "reasoning.encrypted_content file_search_call.results web_search_call.results web_search_call.action.sources "
    "message.input_image.image_url message.output_text.logprobs computer_call_output.output.image_url code_interpreter_call.outputs";

constexpr std::string_view efforts = "none minimal low medium high xhigh max";

bool is_word_of(std::string_view words, std::string_view word) {
    return unknown_member(json::object({{std::string(word), nullptr}}), words).empty();
}

service_refusal unknown_parameter(const std::string& place) {
    return openai_invalid("Unknown parameter: '" + place + "'.", place, "unknown_parameter");
}

service_refusal wrong_type(const std::string& name, const std::string& expected) {
    return openai_invalid("Invalid type for '" + name + "': expected " + expected + ".", name, "invalid_type");
}

/// Refuses a member that is there and not of its type.
template <class Fits>
std::optional<service_refusal> check_type(const json& request, const char* name, const char* expected, Fits fits) {
    const json* member = find_member(request, name);
    return member == nullptr || fits(*member) ? std::nullopt : std::optional(wrong_type(name, expected));
}

std::optional<service_refusal> check_include(const json& request) {
    const json* include = find_member(request, "include");
    if (include == nullptr) {
        return std::nullopt;
    }
    for (const json& one : *include) {
        const std::string name(as_string(one).value_or(""));
        if (!is_word_of(includable, name)) {
            return openai_invalid("Invalid value: '" + name + "'. Supported values are: 'reasoning.encrypted_content' and others.",
                                  "include", "invalid_value");
        }
    }
    return std::nullopt;
}

std::optional<service_refusal> check_reasoning(const json& request) {
    const json* reasoning = find_member(request, "reasoning");
    if (reasoning == nullptr || reasoning->is_null()) {
        return std::nullopt;
    }
    if (const std::string name = unknown_member(*reasoning, "effort summary generate_summary context"); !name.empty()) {
        return unknown_parameter("reasoning." + name);
    }
    const std::string effort(string_member(*reasoning, "effort").value_or("low"));
    if (!is_word_of(efforts, effort)) {
        return openai_invalid("Invalid value: '" + effort +
                                  "'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', "
                                  "and 'max'.",
                              "reasoning.effort", "invalid_value");
    }
    return std::nullopt;
}

std::optional<service_refusal> check_tool_of_response(const json& tool, const std::string& place, std::set<std::string>& names) {
    if (!tool.is_object() || !string_member(tool, "type")) {
        return openai_invalid("Missing required parameter: '" + place + ".type'.", place + ".type", "missing_required_parameter");
    }
    if (string_member(tool, "type") != "function") {
        return std::nullopt;  // a tool of the service
    }
    if (!string_member(tool, "name")) {
        return openai_invalid("Missing required parameter: '" + place + ".name'.", place + ".name", "missing_required_parameter");
    }
    if (const std::string name = unknown_member(tool, "type name description parameters strict"); !name.empty()) {
        return unknown_parameter(place + "." + name);
    }
    if (!names.insert(std::string(*string_member(tool, "name"))).second) {
        return openai_invalid("Duplicate function name '" + std::string(*string_member(tool, "name")) + "' in 'tools'.", place + ".name");
    }
    return check_openai_function(tool, place, bool_member(tool, "strict").value_or(true));
}

}  // namespace

std::optional<service_refusal> check_response_members(const json& request) {
    if (const std::string name = unknown_member(request, members_of_response_request); !name.empty()) {
        return unknown_parameter(name);
    }
    for (const char* name : {"model", "input"}) {
        if (find_member(request, name) == nullptr) {
            return openai_invalid("Missing required parameter: '" + std::string(name) + "'.", name, "missing_required_parameter");
        }
    }
    const auto is_text = [](const json& value) { return value.is_string(); };
    const auto is_flag = [](const json& value) { return value.is_boolean(); };
    const auto is_list = [](const json& value) { return value.is_array(); };
    const auto is_object = [](const json& value) { return value.is_object(); };
    const auto is_object_or_null = [](const json& value) { return value.is_object() || value.is_null(); };
    const auto is_input = [](const json& value) { return value.is_string() || value.is_array(); };
    for (auto refusal :
         {check_type(request, "model", "a string", is_text), check_type(request, "instructions", "a string", is_text),
          check_type(request, "previous_response_id", "a string", is_text), check_type(request, "store", "a boolean", is_flag),
          check_type(request, "stream", "a boolean", is_flag), check_type(request, "parallel_tool_calls", "a boolean", is_flag),
          check_type(request, "include", "an array of strings", is_list), check_type(request, "tools", "an array of objects", is_list),
          check_type(request, "text", "an object", is_object), check_type(request, "reasoning", "an object", is_object_or_null),
          check_type(request, "input", "one of a string or array of objects", is_input), check_include(request), check_reasoning(request),
          check_openai_numbers(request)}) {
        if (refusal) {
            return refusal;
        }
    }
    return std::nullopt;
}

std::optional<service_refusal> check_response_tools(const json& request, const openai_service& service) {
    std::set<std::string> names;
    if (const json* tools = find_member(request, "tools")) {
        for (std::size_t i = 0; i < tools->size(); ++i) {
            if (auto refusal = check_tool_of_response((*tools)[i], "tools[" + std::to_string(i) + "]", names)) {
                return refusal;
            }
        }
    }
    const json* choice = find_member(request, "tool_choice");
    const std::string word(choice != nullptr ? as_string(*choice).value_or("") : "auto");
    const std::string chosen(choice != nullptr ? string_member(*choice, "name").value_or("") : "");
    if (choice != nullptr && choice->is_object() && string_member(*choice, "type") == "function" && !names.contains(chosen)) {
        return openai_invalid("Tool choice 'function' not found in 'tools' parameter.", "tool_choice");
    }
    if (choice != nullptr && choice->is_string() && word != "none" && word != "auto" && word != "required") {
        return openai_invalid("Invalid value: '" + word + "'. Supported values are: 'none', 'auto', and 'required'.", "tool_choice",
                              "invalid_value");
    }
    if (word == "required" && names.empty()) {
        return openai_invalid("Tool choice 'required' must be specified with 'tools' parameter.", "tool_choice");
    }
    const std::string model(string_member(request, "model").value_or(""));
    const json* reasoning = find_member(request, "reasoning");
    const bool without = reasoning != nullptr && string_member(*reasoning, "effort") == "none";
    const std::vector<std::string>& always = service.models_without_functions;
    if (without && std::find(always.begin(), always.end(), model) != always.end()) {
        return openai_invalid("Unsupported value: 'none' is not supported with the '" + model + "' model.", "reasoning.effort",
                              "unsupported_value");
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
