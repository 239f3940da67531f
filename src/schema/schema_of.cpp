#include <pyaichat/schema/schema_of.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

void add_property(json& schema, const about& member, json type, bool required) {
    if (schema.empty()) {
        schema = json::object();
        schema["type"] = "object";
        schema["properties"] = json::object();
        schema["additionalProperties"] = false;
    }
    if (!member.text.empty()) {
        type["description"] = std::string(member.text);
    }
    if (member.minimum) {
        type["minimum"] = *member.minimum;
    }
    if (member.maximum) {
        type["maximum"] = *member.maximum;
    }
    schema["properties"][std::string(member.field)] = std::move(type);
    if (required) {
        schema["required"].push_back(std::string(member.field));
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
