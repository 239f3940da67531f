#include "testing/gemini_rules.hpp"

#include "testing/gemini_shape.hpp"

#include <algorithm>
#include <set>

namespace pyaichat::inline v0::testing {

namespace {

constexpr std::size_t longest_name = 64;
constexpr std::size_t most_functions = 512;

std::string at(std::string_view list, std::size_t index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
}

std::string text_of(const json* value) {
    return value == nullptr ? std::string() : std::string(as_string(*value).value_or(""));
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_function_name(std::string_view name) {
    const auto allowed = [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("_.:-").find(c) != std::string_view::npos;
    };
    return !name.empty() && name.size() <= longest_name && (is_letter(name.front()) || name.front() == '_') &&
           std::all_of(name.begin(), name.end(), allowed);
}

/// Collects lines of the form `* GenerateContentRequest.path: what`.
class field_checker {
public:
    std::string lines;

    void contents(const json* list) {
        if (list == nullptr || list->empty()) {
            add("contents", "contents is not specified");
            return;
        }
        for (std::size_t index = 0; index < list->size(); ++index) {
            content((*list)[index], at("contents", index));
        }
    }

    void tools(const json* list) {
        if (list == nullptr) {
            return;
        }
        for (std::size_t tool = 0; tool < list->size(); ++tool) {
            const json* declarations = proto_member((*list)[tool], "functionDeclarations");
            for (std::size_t index = 0; declarations != nullptr && index < declarations->size(); ++index) {
                declaration((*declarations)[index], at("tools", tool) + "." + at("function_declarations", index));
            }
        }
        if (names_.size() > most_functions) {
            add("tools", "at most 512 function declarations are supported");
        }
    }

    [[nodiscard]] const std::set<std::string>& names() const { return names_; }

    void add(const std::string& path, const std::string& what) { lines += "* GenerateContentRequest." + path + ": " + what + "\n"; }

private:
    void content(const json& value, const std::string& path) {
        const json* parts = proto_member(value, "parts");
        if (parts == nullptr || parts->empty()) {
            add(path + ".parts", "contents.parts must not be empty.");
            return;
        }
        for (std::size_t index = 0; index < parts->size(); ++index) {
            part((*parts)[index], path + "." + at("parts", index));
        }
    }

    void part(const json& value, const std::string& path) {
        const std::string_view data = data_member(value);
        if (data.empty()) {
            add(path + ".data", "required oneof field 'data' must have one initialized field");
        } else if (data == "functionCall" && text_of(proto_member(*proto_member(value, data), "name")).empty()) {
            add(path + ".function_call.name", "Name cannot be empty.");
        } else if (data == "functionResponse") {
            const json& response = *proto_member(value, data);
            if (text_of(proto_member(response, "name")).empty()) {
                add(path + ".function_response.name", "Name cannot be empty.");
            }
            if (proto_member(response, "response") == nullptr) {
                add(path + ".function_response.response", "response must be set.");
            }
        }
    }

    void declaration(const json& value, const std::string& path) {
        const std::string name = text_of(proto_member(value, "name"));
        if (!is_function_name(name)) {
            add(path + ".name",
                "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), "
                "dots (.), "
                "colons (:), or dashes (-), with a maximum length of 64.");
        } else if (!names_.insert(name).second) {
            add(path + ".name", "Duplicate function declaration found: " + name);
        }
        if (text_of(proto_member(value, "description")).empty()) {
            add(path + ".description", "description must not be empty.");
        }
        const json* parameters = proto_member(value, "parameters");
        const json* json_schema = proto_member(value, "parametersJsonSchema");
        if (parameters != nullptr && json_schema != nullptr) {
            add(path, "parameters and parameters_json_schema are mutually exclusive.");
        }
        if (json_schema != nullptr && text_of(find_member(*json_schema, "type")) != "object") {
            add(path + ".parameters_json_schema", "the schema must describe an object.");
        }
        if (parameters != nullptr) {
            schema(*parameters, path + ".parameters");
        }
    }

    void schema(const json& value, const std::string& path) {
        const json* any_of = proto_member(value, "anyOf");
        if (any_of != nullptr && value.size() > 1) {
            add(path, "schema specified other fields alongside any_of. When using any_of, it must be the only field set.");
        }
        for (std::size_t index = 0; any_of != nullptr && index < any_of->size(); ++index) {
            schema((*any_of)[index], path + "." + at("any_of", index));
        }
        const std::string type = text_of(proto_member(value, "type"));
        const json* items = proto_member(value, "items");
        if ((type == "ARRAY" || type == "array") && items == nullptr) {
            add(path + ".items", "missing field.");
        }
        if (items != nullptr) {
            schema(*items, path + ".items");
        }
        const json* properties = proto_member(value, "properties");
        if (properties != nullptr) {
            for (const auto& entry : properties->items()) {
                schema(entry.value(), path + ".properties[" + entry.key() + "]");
            }
        }
        const json* required = proto_member(value, "required");
        for (std::size_t index = 0; required != nullptr && index < required->size(); ++index) {
            if (properties == nullptr || find_member(*properties, text_of(&(*required)[index])) == nullptr) {
                add(path + "." + at("required", index), "property is not defined");
            }
        }
    }

    std::set<std::string> names_;
};

}  // namespace

std::optional<std::string> check_gemini_fields(const json& request) {
    field_checker checker;
    checker.contents(proto_member(request, "contents"));
    checker.tools(proto_member(request, "tools"));
    const json* tool_config = proto_member(request, "toolConfig");
    const json* calling = tool_config == nullptr ? nullptr : proto_member(*tool_config, "functionCallingConfig");
    if (calling != nullptr) {
        if (checker.names().empty() && checker.lines.empty()) {
            return "Function calling config is set without function_declarations.";
        }
        const json* allowed = proto_member(*calling, "allowedFunctionNames");
        const std::string mode = text_of(proto_member(*calling, "mode"));
        if (allowed != nullptr && !allowed->empty() && mode != "ANY" && mode != "VALIDATED") {
            checker.add("tool_config.function_calling_config.allowed_function_names", "only supported with the modes ANY and VALIDATED.");
        }
        for (std::size_t index = 0; allowed != nullptr && index < allowed->size(); ++index) {
            if (!checker.names().contains(text_of(&(*allowed)[index]))) {
                checker.add(at("tool_config.function_calling_config.allowed_function_names", index), "the function is not declared.");
            }
        }
    }
    return checker.lines.empty() ? std::nullopt : std::optional<std::string>(checker.lines);
}

std::optional<std::string> check_gemini_abilities(const json& request, std::string_view model) {
    const json* config = proto_member(request, "generationConfig");
    if (config == nullptr) {
        return std::nullopt;
    }
    if (const json* thinking = proto_member(*config, "thinkingConfig")) {
        const bool budget = proto_member(*thinking, "thinkingBudget") != nullptr;
        const std::string level = text_of(proto_member(*thinking, "thinkingLevel"));
        if (budget && !level.empty()) {
            return "You can only set one of thinking budget and thinking level.";
        }
        if (budget && model.starts_with("gemini-4")) {
            return "Thinking budget is not supported for this model.";
        }
        if ((level == "MINIMAL" || level == "minimal") && !model.starts_with("gemini-3.6")) {
            return "Thinking level MINIMAL is not supported for this model.";
        }
    }
    for (const char* penalty : {"presencePenalty", "frequencyPenalty"}) {
        const json* value = proto_member(*config, penalty);
        if (value != nullptr && as_number(*value) != 0.0) {
            return "Penalty is not enabled for this model.";
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline v0::testing
