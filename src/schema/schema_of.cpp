#include <pyaichat/schema/schema_of.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

void add_property(json& schema, std::string_view name, json type, std::string_view description, bool required) {
    if (schema.empty()) {
        schema = json::object();
        schema["type"] = "object";
        schema["properties"] = json::object();
        schema["additionalProperties"] = false;
    }
    if (!description.empty()) {
        type["description"] = std::string(description);
    }
    schema["properties"][std::string(name)] = std::move(type);
    if (required) {
        schema["required"].push_back(std::string(name));
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
