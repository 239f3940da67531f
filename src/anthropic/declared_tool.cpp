#include "anthropic/declared_tool.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

json declared_tool(const capability_spec& spec, const schema_profile& accepted, bool strict) {
    json schema = reduce_schema(spec.parameters.is_object() ? spec.parameters : json::object(), accepted).schema;
    json tool = json::object();
    if (strict && !bool_member(schema, "additionalProperties").value_or(true)) {
        tool["strict"] = true;
    }
    tool["name"] = spec.name;
    tool["description"] = spec.description;
    tool["input_schema"] = std::move(schema);
    return tool;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
