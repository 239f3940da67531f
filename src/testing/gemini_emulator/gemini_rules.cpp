#include "testing/gemini_emulator/gemini_rules.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t max_name_length = 64;
constexpr std::size_t max_functions = 512;

/// Whether a name has a letter or an underscore, followed by letters, digits, underscores and bytes of `others`.
bool is_name(std::string_view name, std::string_view others) {
    const auto allowed = [&](char c) {
        return is_letter(c) || detail::is_digit(c) || c == '_' || others.find(c) != std::string_view::npos;
    };
    return !name.empty() && name.size() <= max_name_length && (is_letter(name.front()) || name.front() == '_') &&
           std::all_of(name.begin(), name.end(), allowed);
}

class field_checker {
public:
    std::vector<gemini_violation> found;

    void contents(const json& list) {
        if (list.empty()) {
            add("contents", "contents is not specified");
        }
        each_element(list, "contents", [&](const json& content, const std::string& path) {
            const json& parts = proto_member(content, "parts");
            if (parts.empty()) {
                add(path + ".parts", "contents.parts must not be empty.");
            }
            each_element(parts, path + ".parts", [&](const json& value, const std::string& at) { part(value, at); });
        });
    }

    void tools(const json& list) {
        each_element(list, "tools", [&](const json& tool, const std::string& path) {
            each_element(proto_member(tool, "functionDeclarations"), path + ".function_declarations",
                         [&](const json& value, const std::string& at) { declaration(value, at); });
        });
        if (names_.size() > max_functions) {
            add("tools", "at most 512 function declarations are supported");
        }
    }

    void instruction(const json& value) {
        each_element(proto_member(value, "parts"), "system_instruction.parts", [&](const json& part, const std::string& path) {
            if (data_member(part) != "text") {
                add(path, "a system instruction has text parts only.");
            }
        });
    }

    /// Call it after `tools`, which collects the names.
    void calling(const json& config) {
        const std::string path = "tool_config.function_calling_config.allowed_function_names";
        const json& allowed = proto_member(config, "allowedFunctionNames");
        const std::string mode = proto_text(config, "mode");
        if (!allowed.empty() && mode != "ANY" && mode != "VALIDATED") {
            add(path, "only supported with the modes ANY and VALIDATED.");
        }
        each_element(allowed, path, [&](const json& name, const std::string& at) {
            if (!names_.contains(std::string(as_string(name).value_or("")))) {
                add(at, "the function is not declared.");
            }
        });
    }

private:
    void add(const std::string& path, const std::string& description) { found.push_back({path, description}); }

    void part(const json& value, const std::string& path) {
        const std::string_view data = data_member(value);
        if (data.empty()) {
            add(path + ".data", "required oneof field 'data' must have one initialized field");
        } else if (data == "functionCall" && proto_text(proto_member(value, data), "name").empty()) {
            add(path + ".function_call.name", "Name cannot be empty.");
        } else if (data == "functionResponse") {
            const json& response = proto_member(value, data);
            if (proto_text(response, "name").empty()) {
                add(path + ".function_response.name", "Name cannot be empty.");
            }
            if (proto_member(response, "response").is_null()) {
                add(path + ".function_response.response", "response must be set.");
            }
        }
    }

    void declaration(const json& value, const std::string& path) {
        const std::string name = proto_text(value, "name");
        if (!is_name(name, ".:-")) {
            add(path + ".name",
                "Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), "
                "dots (.), colons (:), or dashes (-), with a maximum length of 64.");
        } else if (!names_.insert(name).second) {
            add(path + ".name", "Duplicate function declaration found: " + name);
        }
        const json& parameters = proto_member(value, "parameters");
        const json& json_schema = proto_member(value, "parametersJsonSchema");
        if (!parameters.is_null() && !json_schema.is_null()) {
            add(path, "parameters and parameters_json_schema are mutually exclusive.");
        }
        if (!json_schema.is_null() && string_member(json_schema, "type") != "object") {
            add(path + ".parameters_json_schema", "the schema must describe an object.");
        }
        schema(parameters, path + ".parameters");
    }

    void schema(const json& value, const std::string& path) {
        const json& any_of = proto_member(value, "anyOf");
        if (!any_of.is_null() && value.size() > 1) {
            add(path, "schema specified other fields alongside any_of. When using any_of, it must be the only field set.");
        }
        each_element(any_of, path + ".any_of", [&](const json& branch, const std::string& at) { schema(branch, at); });
        const std::string type = proto_text(value, "type");
        const json& items = proto_member(value, "items");
        if ((type == "ARRAY" || type == "array") && items.is_null()) {
            add(path + ".items", "missing field.");
        }
        if (!items.is_null()) {
            schema(items, path + ".items");
        }
        const json& properties = proto_member(value, "properties");
        for (const auto& entry : properties.items()) {
            if (!is_name(entry.key(), "")) {
                add(path + ".properties", "should be non-empty names of letters, digits and underscores: " + entry.key());
            }
            schema(entry.value(), path + ".properties[" + entry.key() + "]");
        }
        each_element(proto_member(value, "required"), path + ".required", [&](const json& name, const std::string& at) {
            if (find_member(properties, as_string(name).value_or("")) == nullptr) {
                add(at, "property is not defined");
            }
        });
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

std::vector<gemini_violation> check_gemini_contents(const json& contents) {
    field_checker checker;
    checker.contents(contents);
    return std::move(checker.found);
}

const json& calling_config(const json& request) {
    return proto_member(proto_member(request, "toolConfig"), "functionCallingConfig");
}

bool declares_functions(const json& request) {
    const json& tools = proto_member(request, "tools");
    return std::any_of(tools.begin(), tools.end(), [](const json& tool) { return !proto_member(tool, "functionDeclarations").empty(); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
