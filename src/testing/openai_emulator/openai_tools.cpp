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

bool is_name(std::string_view name) {
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
        return detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '-';
    });
}

/// Returns the place of the first object that the strict form does not allow, and why; or an empty text.
std::string strict_violation(const json& schema, const std::string& place) {
    if (!schema.is_object()) {
        return {};
    }
    if (const json* properties = find_member(schema, "properties"); properties != nullptr && properties->is_object()) {
        if (bool_member(schema, "additionalProperties").value_or(true)) {
            return "In context=(" + place + "), 'additionalProperties' is required to be supplied and to be false.";
        }
        const json* required = find_member(schema, "required");
        for (const auto& [name, property] : properties->items()) {
            if (required == nullptr || std::find(required->begin(), required->end(), json(name)) == required->end()) {
                return "In context=(" + place +
                       "), 'required' is required to be supplied and to be an array including every key in "
                       "properties. Missing '" +
                       name + "'.";
            }
            if (std::string found = strict_violation(property, place + "'" + name + "'"); !found.empty()) {
                return found;
            }
        }
    }
    const json* items = find_member(schema, "items");
    return items != nullptr ? strict_violation(*items, place + "'items'") : std::string();
}

std::optional<openai_refusal> check_parameters(const json& function, const std::string& name) {
    const json* parameters = find_member(function, "parameters");
    if (parameters == nullptr) {
        return std::nullopt;
    }
    const std::string begin = "Invalid schema for function '" + name + "': ";
    const std::string type(string_member(*parameters, "type").value_or("None"));
    if (type != "object") {
        return openai_invalid(begin + "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"" + type + "\"'.",
                              "tools[0].function.parameters", "invalid_function_parameters");
    }
    if (bool_member(function, "strict").value_or(false)) {
        if (const std::string found = strict_violation(*parameters, {}); !found.empty()) {
            return openai_invalid(begin + found, "tools[0].function.parameters", "invalid_function_parameters");
        }
    }
    return std::nullopt;
}

std::optional<openai_refusal> check_tool(const json& tool, const std::string& place, std::set<std::string>& names) {
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
    const std::string name(string_member(*function, "name").value_or(""));
    if (!is_name(name)) {
        return openai_invalid("Invalid '" + place +
                                  ".function.name': string does not match pattern. Expected a string that matches the "
                                  "pattern '^[a-zA-Z0-9_-]+$'.",
                              place + ".function.name", "invalid_value");
    }
    if (!names.insert(name).second) {
        return openai_invalid("Duplicate function name '" + name + "' in 'tools'.", place + ".function.name");
    }
    return check_parameters(*function, name);
}

std::optional<openai_refusal> check_choice(const json& request, const std::set<std::string>& names) {
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

std::optional<openai_refusal> check_openai_tools(const json& request, const openai_service& service) {
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
