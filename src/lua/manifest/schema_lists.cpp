#include "lua/manifest/schema_lists.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

void restore_lists(json& schema) {
    if (!schema.is_object()) {
        return;
    }
    for (auto member = schema.begin(); member != schema.end(); ++member) {
        const std::string& name = member.key();
        json& value = member.value();
        const bool of_schemas = name == "allOf" || name == "anyOf" || name == "oneOf" || name == "prefixItems";
        if (of_schemas || name == "required" || name == "enum" || name == "examples") {
            if (value.is_object() && value.empty()) {
                value = json::array();
            }
            for (json& item : value) {
                if (of_schemas) {
                    restore_lists(item);
                }
            }
        } else if (name == "properties" || name == "patternProperties" || name == "$defs" || name == "dependentSchemas") {
            for (json& named : value) {
                restore_lists(named);
            }
        } else if (name != "const" && name != "default") {
            restore_lists(value);
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
