#include "testing/openai_emulator/openai_rules.hpp"

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

/// Checks a format of the type `json_schema`. `place` names the object with the schema.
std::optional<service_refusal> check_answer_schema(const json& format, const std::string& place, const std::string& param) {
    if (const std::string name = unknown_member(format, "type name description schema strict"); !name.empty()) {
        return openai_invalid("Unknown parameter: '" + place + "." + name + "'.", place + "." + name, "unknown_parameter");
    }
    for (const char* name : {"name", "schema"}) {
        if (find_member(format, name) == nullptr) {
            return openai_invalid("Missing required parameter: '" + place + "." + name + "'.", place + "." + name,
                                  "missing_required_parameter");
        }
    }
    const std::string name(string_member(format, "name").value_or(""));
    if (!is_openai_name(name)) {
        return openai_invalid(
            "Invalid '" + place + ".name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
            place + ".name", "invalid_value");
    }
    const json& schema = *find_member(format, "schema");
    const std::string begin = "Invalid schema for response_format '" + name + "': ";
    const std::string type(string_member(schema, "type").value_or("None"));
    if (type != "object") {
        return openai_invalid(begin + "schema must be a JSON Schema of 'type: \"object\"', got 'type: \"" + type + "\"'.", param);
    }
    const std::string found = bool_member(format, "strict").value_or(false) ? openai_strict_violation(schema) : std::string();
    return found.empty() ? std::nullopt : std::optional(openai_invalid(begin + found, param));
}

}  // namespace

std::optional<service_refusal> check_openai_answer(const json& request, const openai_service& service) {
    const json* text = find_member(request, "text");
    const json* format = text != nullptr ? find_member(*text, "format") : find_member(request, "response_format");
    const std::string param = text != nullptr ? "text.format" : "response_format";
    if (text != nullptr) {
        if (const std::string name = unknown_member(*text, "format verbosity"); !name.empty()) {
            return openai_invalid("Unknown parameter: 'text." + name + "'.", "text." + name, "unknown_parameter");
        }
    }
    if (format == nullptr) {
        return std::nullopt;
    }
    const std::string type(string_member(*format, "type").value_or(""));
    if (type != "text" && type != "json_object" && type != "json_schema") {
        return openai_invalid("Invalid value: '" + type + "'. Supported values are: 'json_object', 'json_schema', and 'text'.",
                              param + ".type", "invalid_value");
    }
    if (service.answer_schemas_alone && type != "text" && find_member(request, "tools") != nullptr) {
        return openai_invalid("json mode cannot be combined with tool/function calling", param);
    }
    if (type != "json_schema") {
        return std::nullopt;
    }
    if (text != nullptr) {
        return check_answer_schema(*format, param, param);
    }
    const json* inner = find_member(*format, "json_schema");
    if (inner == nullptr || !inner->is_object()) {
        return openai_invalid("Missing required parameter: 'response_format.json_schema'.", "response_format.json_schema",
                              "missing_required_parameter");
    }
    return check_answer_schema(*inner, "response_format.json_schema", param);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
