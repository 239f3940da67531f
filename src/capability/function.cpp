#include <pyaichat/capability/function.hpp>

namespace pyaichat::inline v0::detail {

void add_parameter(json& schema, const arg& named, json type, bool required) {
    if (schema.is_null()) {
        schema = json::object();
        schema["type"] = "object";
        schema["properties"] = json::object();
        schema["additionalProperties"] = false;
    }
    if (!named.description.empty()) {
        type["description"] = named.description;
    }
    PYAICHAT_ASSERT(!schema["properties"].contains(named.name), "two parameters of a capability have the same name");
    schema["properties"][named.name] = std::move(type);
    if (required) {
        schema["required"].push_back(named.name);
    }
}

schema_error missing_argument(const arg& named) {
    return {"/" + pointer_token(named.name), "required", "is required" + (named.description.empty() ? "" : ": " + named.description)};
}

}  // namespace pyaichat::inline v0::detail
