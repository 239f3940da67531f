#include "testing/openai_emulator/openai_rules.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::string_view keywords_of_strict =
    "type properties required additionalProperties items enum const anyOf $ref $defs description title minimum maximum exclusiveMinimum "
    "exclusiveMaximum multipleOf pattern format minItems maxItems default";

constexpr std::string_view formats_of_strict = "date-time date time duration email hostname ipv4 ipv6 uuid";

std::string violation(const json& schema, const std::string& place);

std::string violation_of_object(const json& schema, const std::string& context) {
    const json* properties = find_member(schema, "properties");
    if (bool_member(schema, "additionalProperties").value_or(true)) {
        return context + "'additionalProperties' is required to be supplied and to be false.";
    }
    const json* required = find_member(schema, "required");
    for (const auto& [name, property] : properties->items()) {
        if (required == nullptr || std::find(required->begin(), required->end(), json(name)) == required->end()) {
            return context + "'required' is required to be supplied and to be an array including every key in properties. Missing '" +
                   name + "'.";
        }
    }
    return {};
}

/// Returns the first violation in the values of an object or a list.
std::string violation_in(const json& schemas, const std::string& place, const char* keyword) {
    std::size_t index = 0;
    for (const auto& entry : schemas.items()) {
        const std::string name = schemas.is_array() ? std::to_string(index++) : "'" + entry.key() + "'";
        if (std::string found = violation(entry.value(), place + "'" + keyword + "', " + name + ", "); !found.empty()) {
            return found;
        }
    }
    return {};
}

std::string violation(const json& schema, const std::string& place) {
    const std::string context = "In context=(" + place.substr(0, place.size() - std::min<std::size_t>(2, place.size())) + "), ";
    if (!schema.is_object()) {
        return context + "schema must be an object.";
    }
    if (const std::string name = unknown_member(schema, keywords_of_strict); !name.empty()) {
        return context + "'" + name + "' is not permitted.";
    }
    const auto format = string_member(schema, "format");
    if (format && !unknown_member(json::object({{std::string(*format), nullptr}}), formats_of_strict).empty()) {
        return context + "'" + std::string(*format) + "' is not a valid format.";
    }
    if (find_member(schema, "properties") != nullptr) {
        if (std::string found = violation_of_object(schema, context); !found.empty()) {
            return found;
        }
    }
    for (const char* keyword : {"properties", "$defs", "anyOf"}) {
        const json* schemas = find_member(schema, keyword);
        if (std::string found = schemas != nullptr ? violation_in(*schemas, place, keyword) : std::string(); !found.empty()) {
            return found;
        }
    }
    const json* items = find_member(schema, "items");
    return items != nullptr ? violation(*items, place + "'items', ") : std::string();
}

}  // namespace

std::string openai_strict_violation(const json& schema) {
    return violation(schema, {});
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
