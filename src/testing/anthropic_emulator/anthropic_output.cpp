#include "testing/anthropic_emulator/anthropic_rules.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t deepest_answer = 64;

/// Counts what the service limits over a whole schema.
struct answer_counts {
    std::size_t optional = 0;
    std::size_t unions = 0;
};

anthropic_violation check_answer(const json& schema, std::size_t depth, answer_counts& counts);

anthropic_violation check_answers(const json& schemas, std::size_t depth, answer_counts& counts) {
    for (const json& one : schemas) {
        if (auto wrong = check_answer(one, depth + 1, counts)) {
            return wrong;
        }
    }
    return std::nullopt;
}

anthropic_violation check_answer(const json& schema, std::size_t depth, answer_counts& counts) {
    constexpr std::array<std::string_view, 14> known = {
        "type",  "properties", "required", "additionalProperties", "items", "enum",   "const",
        "anyOf", "$ref",       "$defs",    "description",          "title", "format", "default"};
    const std::string path = "output_config.format.schema: ";
    if (!schema.is_object() || depth > deepest_answer) {
        return path + "Schema is too complex for compilation.";
    }
    const std::string type(string_member(schema, "type").value_or(""));
    for (const auto& [name, value] : schema.items()) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            return path + "For '" + type + "' type, property '" + name + "' is not supported";
        }
    }
    const json* properties = find_member(schema, "properties");
    if ((type == "object" || properties != nullptr) && bool_member(schema, "additionalProperties") != false) {
        return path + "For 'object' type, 'additionalProperties' must be explicitly set to false";
    }
    const json* required = find_member(schema, "required");
    counts.optional +=
        properties != nullptr ? properties->size() - std::min(properties->size(), required != nullptr ? required->size() : 0) : 0;
    const json* types = find_member(schema, "type");
    counts.unions += find_member(schema, "anyOf") != nullptr || (types != nullptr && types->is_array()) ? 1 : 0;
    if (counts.optional > 24 || counts.unions > 16) {
        return path + "Schema is too complex for compilation.";
    }
    for (const char* name : {"properties", "anyOf", "$defs"}) {
        const json* inner = find_member(schema, name);
        if (auto wrong = inner != nullptr ? check_answers(*inner, depth, counts) : std::nullopt) {
            return wrong;
        }
    }
    const json* items = find_member(schema, "items");
    return items != nullptr ? check_answer(*items, depth + 1, counts) : std::nullopt;
}

/// Whether following the references of a schema leads back to it.
bool is_recursive(const json& schema, const json& definitions, std::size_t depth) {
    if (depth > deepest_answer) {
        return true;
    }
    if (const auto reference = string_member(schema, "$ref"); reference && reference->starts_with("#/$defs/")) {
        const json* target = find_member(definitions, reference->substr(std::string_view("#/$defs/").size()));
        return target != nullptr && is_recursive(*target, definitions, depth + 1);
    }
    return schema.is_structured() &&
           std::any_of(schema.begin(), schema.end(), [&](const json& one) { return is_recursive(one, definitions, depth + 1); });
}

}  // namespace

anthropic_violation check_anthropic_output(const json& request) {
    const json* output = find_member(request, "output_config");
    if (output == nullptr) {
        return std::nullopt;
    }
    for (const auto& [name, value] : output->items()) {
        if (name != "effort" && name != "format") {
            return "output_config." + name + ": Extra inputs are not permitted";
        }
    }
    constexpr std::array<std::string_view, 5> known_efforts = {"low", "medium", "high", "xhigh", "max"};
    const std::string effort(string_member(*output, "effort").value_or("low"));
    if (std::find(known_efforts.begin(), known_efforts.end(), effort) == known_efforts.end()) {
        return "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'";
    }
    const json* format = find_member(*output, "format");
    if (format == nullptr || format->is_null()) {
        return std::nullopt;
    }
    if (string_member(*format, "type") != "json_schema") {
        return "output_config.format.type: Input should be 'json_schema'";
    }
    const json* schema = find_member(*format, "schema");
    if (schema == nullptr) {
        return "output_config.format.schema: Field required";
    }
    for (const auto& [name, value] : format->items()) {
        if (name != "type" && name != "schema") {
            return "output_config.format." + name + ": Extra inputs are not permitted";
        }
    }
    answer_counts counts;
    if (auto wrong = check_answer(*schema, 0, counts)) {
        return wrong;
    }
    const json* definitions = find_member(*schema, "$defs");
    return definitions != nullptr && is_recursive(*definitions, *definitions, 0)
               ? anthropic_violation("output_config.format.schema: Recursive schemas are not supported")
               : std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
