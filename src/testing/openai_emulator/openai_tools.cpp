#include "testing/openai_emulator/openai_rules.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t most_tools = 128;

bool is_in(const std::vector<std::string>& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::optional<service_refusal> check_parameters(const json& function, const std::string& name, const std::string& place, bool strict) {
    const json* parameters = find_member(function, "parameters");
    if (parameters == nullptr || parameters->is_null()) {
        return std::nullopt;
    }
    const std::string begin = "Invalid schema for function '" + name + "': ";
    const std::string type(string_member(*parameters, "type").value_or("None"));
    if (type != "object") {
        return openai_invalid(begin + "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"" + type + "\"'.",
                              place + ".parameters", "invalid_function_parameters");
    }
    if (strict) {
        if (const std::string found = openai_strict_violation(*parameters); !found.empty()) {
            return openai_invalid(begin + found, place + ".parameters", "invalid_function_parameters");
        }
    }
    return std::nullopt;
}

std::optional<service_refusal> check_tool(const json& tool, const std::string& place, std::set<std::string>& names) {
    if (const std::string name = tool.is_object() ? unknown_member(tool, "type function") : "0"; !name.empty()) {
        return openai_invalid("Unknown parameter: '" + place + "." + name + "'.", place, "unknown_parameter");
    }
    const json* function = find_member(tool, "function");
    if (string_member(tool, "type") != "function" || function == nullptr || !function->is_object()) {
        return openai_invalid("Missing required parameter: '" + place + ".function'.", place, "missing_required_parameter");
    }
    if (const std::string name = unknown_member(*function, "name description parameters strict"); !name.empty()) {
        return openai_invalid("Unknown parameter: '" + place + ".function." + name + "'.", place, "unknown_parameter");
    }
    if (!names.insert(std::string(string_member(*function, "name").value_or(""))).second) {
        return openai_invalid("Duplicate function name '" + std::string(string_member(*function, "name").value_or("")) + "' in 'tools'.",
                              place + ".function.name");
    }
    return check_openai_function(*function, place + ".function", bool_member(*function, "strict").value_or(false));
}

std::optional<service_refusal> check_choice(const json& request, const std::set<std::string>& names) {
    const json* choice = find_member(request, "tool_choice");
    if (choice == nullptr) {
        return std::nullopt;
    }
    if (const auto word = as_string(*choice)) {
        return *word == "none" || *word == "auto" || *word == "required"
                   ? std::nullopt
                   : std::optional(openai_invalid(
                         "Invalid value: '" + std::string(*word) + "'. Supported values are: 'none', 'auto', and 'required'.",
                         "tool_choice", "invalid_value"));
    }
    const json* function = find_member(*choice, "function");
    const std::string name(function != nullptr ? string_member(*function, "name").value_or("") : "");
    return names.contains(name) ? std::nullopt
                                : std::optional(openai_invalid("Tool choice 'function' not found in 'tools' parameter.", "tool_choice"));
}

}  // namespace

bool is_openai_name(std::string_view name) {
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '-';
    });
}

std::optional<service_refusal> check_openai_function(const json& function, const std::string& place, bool strict) {
    const std::string name(string_member(function, "name").value_or(""));
    if (!is_openai_name(name)) {
        return openai_invalid("Invalid '" + place +
                                  ".name': string does not match pattern. Expected a string that matches the pattern "
                                  "'^[a-zA-Z0-9_-]+$'.",
                              place + ".name", "invalid_value");
    }
    return check_parameters(function, name, place, strict);
}

std::optional<service_refusal> check_openai_tools(const json& request, const openai_service& service) {
    const json* tools = find_member(request, "tools");
    if (tools == nullptr) {
        for (const char* name : {"tool_choice", "parallel_tool_calls"}) {
            if (find_member(request, name) != nullptr) {
                return openai_invalid(
                    "Invalid value for '" + std::string(name) + "': '" + name + "' is only allowed when 'tools' are specified.", name);
            }
        }
        return std::nullopt;
    }
    if (!tools->is_array() || tools->empty() || tools->size() > most_tools) {
        return openai_invalid("Invalid 'tools': expected an array with 1 to 128 elements.", "tools", "empty_array");
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < tools->size(); ++i) {
        if (auto refusal = check_tool((*tools)[i], "tools[" + std::to_string(i) + "]", names)) {
            return refusal;
        }
    }
    const std::string model(string_member(request, "model").value_or(""));
    const auto effort = string_member(request, "reasoning_effort");
    if (effort == "none" && is_in(service.models_without_functions, model)) {
        return openai_invalid("Unsupported value: 'reasoning_effort' does not support 'none' with this model.", "reasoning_effort",
                              "unsupported_value");
    }
    if (is_in(service.models_without_functions, model) || (is_in(service.models_without_reasoning, model) && effort != "none")) {
        return openai_invalid("Function tools with reasoning_effort are not supported for " + model +
                                  " in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
                              "reasoning_effort");
    }
    return check_choice(request, names);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
