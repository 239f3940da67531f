#include "testing/anthropic_emulator/anthropic_rules.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

enum class value_type : unsigned char { any, text, integer, number, boolean, object, list, text_or_list };

struct member_rule {
    std::string_view name;
    value_type type = value_type::any;
    bool required = false;
};

/// The service's word for a value of another type, or an empty text if the type fits.
std::string_view type_error(const json& value, value_type type) {
    switch (type) {
        case value_type::text: return value.is_string() ? "" : "Input should be a valid string";
        case value_type::integer: return value.is_number_integer() ? "" : "Input should be a valid integer";
        case value_type::number: return value.is_number() ? "" : "Input should be a valid number";
        case value_type::boolean: return value.is_boolean() ? "" : "Input should be a valid boolean";
        case value_type::object: return value.is_object() ? "" : "Input should be a valid dictionary";
        case value_type::list: return value.is_array() ? "" : "Input should be a valid list";
        case value_type::text_or_list: return value.is_string() || value.is_array() ? "" : "Input should be a valid string or list";
        case value_type::any: break;
    }
    return "";
}

anthropic_violation check_members(const json& object, const std::string& path, std::initializer_list<member_rule> rules) {
    const std::string prefix = path.empty() ? "" : path + ".";
    if (!object.is_object()) {
        return path + ": Input should be a valid dictionary";
    }
    for (const member_rule& rule : rules) {
        const json* member = find_member(object, rule.name);
        if (rule.required && member == nullptr) {
            return prefix + std::string(rule.name) + ": Field required";
        }
        if (member != nullptr) {
            if (const std::string_view wrong = type_error(*member, rule.type); !wrong.empty()) {
                return prefix + std::string(rule.name) + ": " + std::string(wrong);
            }
        }
    }
    for (const auto& [name, member] : object.items()) {
        const std::string& key = name;
        if (std::none_of(rules.begin(), rules.end(), [&](const member_rule& rule) { return rule.name == key; })) {
            return prefix + key + ": Extra inputs are not permitted";
        }
    }
    return std::nullopt;
}

anthropic_violation check_block(const json& block, const std::string& path) {
    using enum value_type;
    const std::string type = anthropic_type(block);
    const std::string inside = path + "." + type;
    if (type == "text") {
        return check_members(block, inside, {{"type"}, {"text", text, true}, {"citations"}, {"cache_control", object}});
    }
    if (type == "image") {
        return check_members(block, inside, {{"type"}, {"source", object, true}, {"cache_control", object}});
    }
    if (type == "tool_use") {
        return check_members(
            block, inside,
            {{"type"}, {"id", text, true}, {"name", text, true}, {"input", object, true}, {"caller"}, {"cache_control", object}});
    }
    if (type == "tool_result") {
        return check_members(
            block, inside,
            {{"type"}, {"tool_use_id", text, true}, {"content", text_or_list}, {"is_error", boolean}, {"cache_control", object}});
    }
    if (type == "thinking") {
        return check_members(block, inside, {{"type"}, {"thinking", text, true}, {"signature", text, true}});
    }
    if (type == "redacted_thinking") {
        return check_members(block, inside, {{"type"}, {"data", text, true}});
    }
    const bool of_server_tools = type == "server_tool_use" || type.ends_with("_tool_result") || type == "container_upload";
    return of_server_tools ? anthropic_violation()
                           : path + ": Input tag '" + type + "' found using 'type' does not match any of the expected tags";
}

anthropic_violation check_message(const json& message, const std::string& path) {
    using enum value_type;
    if (auto wrong = check_members(message, path, {{"role", text, true}, {"content", text_or_list, true}})) {
        return wrong;
    }
    const std::string_view role = string_member(message, "role").value_or("");
    if (role != "user" && role != "assistant" && role != "system") {
        return path + ".role: Input should be 'user', 'assistant' or 'system'";
    }
    return each_anthropic_block(message, path, [&](const json& block, const std::string& at) -> anthropic_violation {
        if (auto wrong = check_block(block, at)) {
            return wrong;
        }
        constexpr std::array<std::string_view, 3> of_assistant = {"tool_use", "thinking", "redacted_thinking"};
        const std::string type = anthropic_type(block);
        const bool wrong_role = role == "assistant" ? type == "tool_result" || type == "image"
                                                    : std::find(of_assistant.begin(), of_assistant.end(), type) != of_assistant.end();
        return wrong_role ? at + ": `" + type + "` blocks are not allowed in `" + std::string(role) + "` messages" : anthropic_violation();
    });
}

}  // namespace

std::string anthropic_type(const json& block) {
    return std::string(string_member(block, "type").value_or(""));
}

anthropic_violation each_anthropic_block(const json& message, const std::string& path,
                                         const std::function<anthropic_violation(const json& block, const std::string& path)>& check) {
    const json* content = find_member(message, "content");
    if (content == nullptr || content->is_string()) {
        return content == nullptr ? anthropic_violation() : check({{"type", "text"}, {"text", *content}}, path + ".content.0");
    }
    for (std::size_t i = 0; i < content->size(); ++i) {
        if (auto wrong = check((*content)[i], path + ".content." + std::to_string(i))) {
            return wrong;
        }
    }
    return std::nullopt;
}

anthropic_violation check_anthropic_shape(const json& request, bool counting) {
    using enum value_type;
    if (auto wrong = check_members(request, "",
                                   {{"model", text, true},
                                    {"max_tokens", integer, !counting},
                                    {"messages", list, true},
                                    {"system", text_or_list},
                                    {"tools", list},
                                    {"tool_choice", object},
                                    {"stop_sequences", list},
                                    {"thinking", object},
                                    {"output_config", object},
                                    {"metadata", object},
                                    {"service_tier", text},
                                    {"cache_control", object},
                                    {"stream", boolean},
                                    {"temperature", number},
                                    {"top_p", number},
                                    {"top_k", integer}})) {
        return wrong;
    }
    for (const char* name : {"max_tokens", "stream"}) {
        if (counting && request.contains(name)) {
            return std::string(name) + ": Extra inputs are not permitted";
        }
    }
    if (!counting && integer_member(request, "max_tokens").value_or(0) < 1) {
        return "max_tokens: Input should be greater than or equal to 1";
    }
    const json& messages = *find_member(request, "messages");
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (auto wrong = check_message(messages[i], "messages." + std::to_string(i))) {
            return wrong;
        }
    }
    if (const json* tools = find_member(request, "tools")) {
        for (std::size_t i = 0; i < tools->size(); ++i) {
            if (auto wrong = check_members((*tools)[i], "tools." + std::to_string(i) + ".custom",
                                           {{"name", text, true},
                                            {"description", text},
                                            {"input_schema", object, true},
                                            {"strict", boolean},
                                            {"type", text},
                                            {"cache_control", object}})) {
                return wrong;
            }
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
