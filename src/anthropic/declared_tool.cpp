#include "anthropic/declared_tool.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

json declared_parameters(const json& parameters, std::string& description) {
    json schema = parameters.is_object() ? parameters : json::object();
    if (string_member(schema, "type") != "object") {
        schema["type"] = "object";
    }
    if (schema.size() == 1) {
        schema["properties"] = json::object();
    }
    json left_out = json::object();
    for (const char* keyword : {"allOf", "anyOf", "oneOf"}) {
        if (const auto found = schema.find(keyword); found != schema.end()) {
            left_out[keyword] = std::move(*found);
            schema.erase(found);
        }
    }
    if (!left_out.empty()) {
        description += " The arguments must also fit this JSON Schema: " + dump_json(left_out);
    }
    return schema;
}

json declared_tool(const capability_spec& spec, bool strict) {
    std::string description = spec.description;
    json schema = declared_parameters(spec.parameters, description);
    json tool = json::object();
    if (strict && !bool_member(schema, "additionalProperties").value_or(true)) {
        tool["strict"] = true;
    }
    tool["name"] = spec.name;
    tool["description"] = std::move(description);
    tool["input_schema"] = std::move(schema);
    return tool;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
