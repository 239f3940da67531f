#include "openai/declared_schema.hpp"

#include <pyaichat/schema/reduce.hpp>

#include "core/json_members.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

/// The keywords that the strict form knows.
bool known_in_strict(std::string_view keyword) {
    constexpr std::array<std::string_view, 20> keywords = {"type",    "properties", "required",    "additionalProperties",
                                                           "items",   "enum",       "const",       "anyOf",
                                                           "$ref",    "$defs",      "description", "title",
                                                           "minimum", "maximum",    "multipleOf",  "pattern",
                                                           "format",  "minItems",   "maxItems",    "exclusiveMinimum"};
    return std::find(keywords.begin(), keywords.end(), keyword) != keywords.end() || keyword == "exclusiveMaximum";
}

bool is_strict_object(const json& schema) {
    const json* properties = find_member(schema, "properties");
    if (bool_member(schema, "additionalProperties").value_or(true) || properties == nullptr || !properties->is_object()) {
        return false;
    }
    const json::array_t& required = detail::elements_of(schema, "required");
    for (const auto& [name, property] : properties->items()) {
        const bool listed =
            std::any_of(required.begin(), required.end(), [&key = name](const json& entry) { return as_string(entry) == key; });
        if (!listed || !is_strict(property)) {
            return false;
        }
    }
    return true;
}

bool all_strict(const json& list_or_map) {
    return std::all_of(list_or_map.begin(), list_or_map.end(), [](const json& schema) { return is_strict(schema); });
}

}  // namespace

bool is_enforceable(const json& schema) {
    // The strict form: the keywords of `known_in_strict`, with the formats, patterns and sizes that the service compiles.
    constexpr schema_profile strict{
        .name = "strict",
        .keywords =
            "type properties required additionalProperties items enum const anyOf title description minimum maximum multipleOf "
            "pattern format minItems maxItems exclusiveMinimum exclusiveMaximum",
        .formats = "date-time date time duration email hostname ipv4 ipv6 uuid",
        .patterns = pattern_support::regular,
        .max_choices = 1000,
        .max_depth = 10};
    return is_strict(schema) && string_member(schema, "type") == "object" && reduce_schema(schema, strict).left_out.empty();
}

json declared_parameters(const capability_spec& spec, const openai_profile& profile, bool needed) {
    if (spec.parameters.is_object()) {
        return reduce_schema(spec.parameters, profile.parameters).schema;
    }
    if (!profile.empty_parameters && !needed) {
        return nullptr;
    }
    return json::object({{"properties", json::object()}, {"type", "object"}});
}

bool is_strict(const json& schema) {
    if (!schema.is_object()) {
        return false;
    }
    for (const auto& [keyword, value] : schema.items()) {
        if (!known_in_strict(keyword)) {
            return false;
        }
    }
    const json* items = find_member(schema, "items");
    const json* any_of = find_member(schema, "anyOf");
    const json* definitions = find_member(schema, "$defs");
    if ((items != nullptr && !is_strict(*items)) || (any_of != nullptr && !all_strict(*any_of)) ||
        (definitions != nullptr && !all_strict(*definitions))) {
        return false;
    }
    const json* type = find_member(schema, "type");
    const bool object = type != nullptr && (as_string(*type) == "object" ||
                                            (type->is_array() && std::find(type->begin(), type->end(), json("object")) != type->end()));
    const bool says_something = type != nullptr || any_of != nullptr || find_member(schema, "$ref") != nullptr ||
                                find_member(schema, "enum") != nullptr || find_member(schema, "const") != nullptr;
    if (object || find_member(schema, "properties") != nullptr) {
        return is_strict_object(schema);
    }
    return says_something;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
