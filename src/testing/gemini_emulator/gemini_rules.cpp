#include "testing/gemini_emulator/gemini_rules.hpp"

#include "testing/gemini_emulator/gemini_shape.hpp"

#include <algorithm>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t max_name_length = 64;
constexpr std::size_t max_functions = 512;

std::string at(std::string_view list, std::size_t index) {
    return std::string(list) + "[" + std::to_string(index) + "]";
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_parameter_name(std::string_view name) {
    return !name.empty() && name.size() <= max_name_length && (is_letter(name.front()) || name.front() == '_') &&
           std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || c == '_' || (c >= '0' && c <= '9'); });
}

bool is_function_name(std::string_view name) {
    const auto allowed = [](char c) {
        return is_letter(c) || (c >= '0' && c <= '9') || std::string_view("_.:-").find(c) != std::string_view::npos;
    };
    return !name.empty() && name.size() <= max_name_length && (is_letter(name.front()) || name.front() == '_') &&
           std::all_of(name.begin(), name.end(), allowed);
}

class field_checker {
public:
    std::vector<gemini_violation> found;

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
        if (names_.size() > max_functions) {
            add("tools", "at most 512 function declarations are supported");
        }
    }

    void instruction(const json* value) {
        const json* parts = value == nullptr ? nullptr : proto_member(*value, "parts");
        for (std::size_t index = 0; parts != nullptr && index < parts->size(); ++index) {
            if (data_member((*parts)[index]) != "text") {
                add("system_instruction." + at("parts", index), "a system instruction has text parts only.");
            }
        }
    }

    /// Call it after `tools`, which collects the names.
    void calling(const json* config) {
        if (config == nullptr) {
            return;
        }
        const std::string path = "tool_config.function_calling_config.allowed_function_names";
        const json* allowed = proto_member(*config, "allowedFunctionNames");
        const std::string mode = proto_text(*config, "mode");
        if (allowed != nullptr && !allowed->empty() && mode != "ANY" && mode != "VALIDATED") {
            add(path, "only supported with the modes ANY and VALIDATED.");
        }
        for (std::size_t index = 0; allowed != nullptr && index < allowed->size(); ++index) {
            if (!names_.contains(std::string(as_string((*allowed)[index]).value_or("")))) {
                add(at(path, index), "the function is not declared.");
            }
        }
    }

private:
    void add(const std::string& path, const std::string& description) { found.push_back({path, description}); }

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
        } else if (data == "functionCall" && proto_text(*proto_member(value, data), "name").empty()) {
            add(path + ".function_call.name", "Name cannot be empty.");
        } else if (data == "functionResponse") {
            const json& response = *proto_member(value, data);
            if (proto_text(response, "name").empty()) {
                add(path + ".function_response.name", "Name cannot be empty.");
            }
            if (proto_member(response, "response") == nullptr) {
                add(path + ".function_response.response", "response must be set.");
            }
        }
    }

    void declaration(const json& value, const std::string& path) {
        const std::string name = proto_text(value, "name");
        if (!is_function_name(name)) {
            add(path + ".name",
                "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), "
                "dots (.), "
                "colons (:), or dashes (-), with a maximum length of 64.");
        } else if (!names_.insert(name).second) {
            add(path + ".name", "Duplicate function declaration found: " + name);
        }
        if (proto_text(value, "description").empty()) {
            add(path + ".description", "description must not be empty.");
        }
        const json* parameters = proto_member(value, "parameters");
        const json* json_schema = proto_member(value, "parametersJsonSchema");
        if (parameters != nullptr && json_schema != nullptr) {
            add(path, "parameters and parameters_json_schema are mutually exclusive.");
        }
        if (json_schema != nullptr && string_member(*json_schema, "type") != "object") {
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
        const std::string type = proto_text(value, "type");
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
                if (!is_parameter_name(entry.key())) {
                    add(path + ".properties", "should be non-empty names of letters, digits and underscores: " + entry.key());
                }
                schema(entry.value(), path + ".properties[" + entry.key() + "]");
            }
        }
        const json* required = proto_member(value, "required");
        for (std::size_t index = 0; required != nullptr && index < required->size(); ++index) {
            if (properties == nullptr || find_member(*properties, as_string((*required)[index]).value_or("")) == nullptr) {
                add(path + "." + at("required", index), "property is not defined");
            }
        }
    }

    std::set<std::string> names_;
};

}  // namespace

std::vector<gemini_violation> check_gemini_fields(const json& request) {
    field_checker checker;
    checker.contents(proto_member(request, "contents"));
    checker.instruction(proto_member(request, "systemInstruction"));
    checker.tools(proto_member(request, "tools"));
    checker.calling(calling_config(request));
    return std::move(checker.found);
}

std::vector<gemini_violation> check_gemini_contents(const json* contents) {
    field_checker checker;
    checker.contents(contents);
    return std::move(checker.found);
}

const json* calling_config(const json& request) {
    const json* tool_config = proto_member(request, "toolConfig");
    return tool_config == nullptr ? nullptr : proto_member(*tool_config, "functionCallingConfig");
}

bool declares_functions(const json& request) {
    const json* tools = proto_member(request, "tools");
    return tools != nullptr && std::any_of(tools->begin(), tools->end(), [](const json& tool) {
               const json* declarations = proto_member(tool, "functionDeclarations");
               return declarations != nullptr && !declarations->empty();
           });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
