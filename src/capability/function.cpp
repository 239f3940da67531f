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

capability_reply invalid_arguments(const schema_error& error) {
    json entry = json::object();
    entry["path"] = error.path;
    entry["keyword"] = error.keyword;
    entry["message"] = error.message;
    json details = json::array();
    details.push_back(std::move(entry));
    return reply_error(reply_code::invalid_args, "`" + error.path + "`: " + error.message, std::move(details));
}

schema_error missing_argument(const arg& named) {
    return {"/" + pointer_token(named.name), "required", "is required" + (named.description.empty() ? "" : ": " + named.description)};
}

}  // namespace pyaichat::inline v0::detail
