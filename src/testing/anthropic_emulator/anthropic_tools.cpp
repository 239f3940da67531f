#include "testing/anthropic_emulator/anthropic_rules.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

anthropic_violation check_tool(const json& tool, const std::string& path) {
    if (!is_anthropic_name(string_member(tool, "name").value_or(""), 128)) {
        return path + ".name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
    }
    const json& schema = *find_member(tool, "input_schema");
    const json* type = find_member(schema, "type");
    if (type == nullptr) {
        return path + ".input_schema.type: Field required";
    }
    if (as_string(*type) != "object") {
        return path + ".input_schema.type: Input should be 'object'";
    }
    for (const char* keyword : {"oneOf", "allOf", "anyOf"}) {
        if (schema.contains(keyword)) {
            return path + ".input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level";
        }
    }
    return std::nullopt;
}

}  // namespace

bool is_anthropic_name(std::string_view text, std::size_t longest) {
    return !text.empty() && text.size() <= longest && std::all_of(text.begin(), text.end(), [](char c) {
        return detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '-';
    });
}

anthropic_violation check_anthropic_tools(const json& request, std::string_view version) {
    for (const char* name : {"temperature", "top_p", "top_k"}) {
        if (request.contains(name)) {
            return std::string(name) +
                   (version == "2023-06-01" ? ": This model does not support sampling parameters." : ": Extra inputs are not permitted");
        }
    }
    const json* thinking = find_member(request, "thinking");
    if (thinking != nullptr && anthropic_type(*thinking) == "enabled") {
        return "\"thinking.type.enabled\" is not supported for this model. Use \"thinking.type.adaptive\" and \"output_config.effort\" to "
               "control thinking behavior.";
    }
    const json* tools = find_member(request, "tools");
    std::set<std::string, std::less<>> names;
    std::size_t strict = 0;
    for (std::size_t i = 0; tools != nullptr && i < tools->size(); ++i) {
        const json& tool = (*tools)[i];
        if (auto wrong = check_tool(tool, "tools." + std::to_string(i) + ".custom")) {
            return wrong;
        }
        if (!names.insert(std::string(*string_member(tool, "name"))).second) {
            return "tools: Tool names must be unique.";
        }
        strict += bool_member(tool, "strict").value_or(false) ? 1 : 0;
    }
    if (strict > 20) {
        return "Too many strict tools (" + std::to_string(strict) + "). The maximum number of strict tools supported is 20.";
    }
    const json* choice = find_member(request, "tool_choice");
    if (choice == nullptr) {
        return std::nullopt;
    }
    const std::string type = anthropic_type(*choice);
    if (names.empty()) {
        return "tool_choice: tool_choice may only be specified while providing tools.";
    }
    if (type == "any" || type == "tool") {
        return "tool_choice: this model does not support forced tool use.";
    }
    return type == "auto" || type == "none" ? anthropic_violation() : "tool_choice: Input tag '" + type + "' does not match";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
