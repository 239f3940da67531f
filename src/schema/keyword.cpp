#include "schema/keyword.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr schema_keyword entry(std::string_view name, vocabulary part, schemas_in holds = schemas_in::none, draft since = draft::draft4,
                               draft until = draft::draft2020) noexcept {
    return {name, part, holds, since, until};
}

/// Sorted by name. 2019-09 replaced `definitions` and `dependencies`, but later drafts reserve both names, and schemas go on using them.
constexpr std::array known_keywords{
    entry("$anchor", vocabulary::core, schemas_in::none, draft::draft2019),
    entry("$comment", vocabulary::annotation, schemas_in::none, draft::draft7),
    entry("$defs", vocabulary::core, schemas_in::members, draft::draft2019),
    entry("$dynamicAnchor", vocabulary::core, schemas_in::none, draft::draft2020),
    entry("$dynamicRef", vocabulary::core, schemas_in::none, draft::draft2020),
    entry("$id", vocabulary::core, schemas_in::none, draft::draft6),
    entry("$recursiveAnchor", vocabulary::core, schemas_in::none, draft::draft2019, draft::draft2019),
    entry("$recursiveRef", vocabulary::core, schemas_in::none, draft::draft2019, draft::draft2019),
    entry("$ref", vocabulary::core),
    entry("$schema", vocabulary::core),
    entry("$vocabulary", vocabulary::core, schemas_in::none, draft::draft2019),
    entry("additionalItems", vocabulary::applicator, schemas_in::value, draft::draft4, draft::draft2019),
    entry("additionalProperties", vocabulary::applicator, schemas_in::value),
    entry("allOf", vocabulary::applicator, schemas_in::elements),
    entry("anyOf", vocabulary::applicator, schemas_in::elements),
    entry("const", vocabulary::validation, schemas_in::none, draft::draft6),
    entry("contains", vocabulary::applicator, schemas_in::value, draft::draft6),
    entry("contentEncoding", vocabulary::annotation, schemas_in::none, draft::draft7),
    entry("contentMediaType", vocabulary::annotation, schemas_in::none, draft::draft7),
    entry("contentSchema", vocabulary::annotation, schemas_in::value, draft::draft2019),
    entry("default", vocabulary::annotation),
    entry("definitions", vocabulary::core, schemas_in::members),
    entry("dependencies", vocabulary::applicator, schemas_in::members),
    entry("dependentRequired", vocabulary::validation, schemas_in::none, draft::draft2019),
    entry("dependentSchemas", vocabulary::applicator, schemas_in::members, draft::draft2019),
    entry("deprecated", vocabulary::annotation, schemas_in::none, draft::draft2019),
    entry("description", vocabulary::annotation),
    entry("else", vocabulary::applicator, schemas_in::value, draft::draft7),
    entry("enum", vocabulary::validation),
    entry("examples", vocabulary::annotation, schemas_in::none, draft::draft6),
    entry("exclusiveMaximum", vocabulary::validation),
    entry("exclusiveMinimum", vocabulary::validation),
    entry("format", vocabulary::format),
    entry("id", vocabulary::core, schemas_in::none, draft::draft4, draft::draft4),
    entry("if", vocabulary::applicator, schemas_in::value, draft::draft7),
    entry("items", vocabulary::applicator, schemas_in::value_or_list),
    entry("maxContains", vocabulary::validation, schemas_in::none, draft::draft2019),
    entry("maxItems", vocabulary::validation),
    entry("maxLength", vocabulary::validation),
    entry("maxProperties", vocabulary::validation),
    entry("maximum", vocabulary::validation),
    entry("minContains", vocabulary::validation, schemas_in::none, draft::draft2019),
    entry("minItems", vocabulary::validation),
    entry("minLength", vocabulary::validation),
    entry("minProperties", vocabulary::validation),
    entry("minimum", vocabulary::validation),
    entry("multipleOf", vocabulary::validation),
    entry("not", vocabulary::applicator, schemas_in::value),
    entry("oneOf", vocabulary::applicator, schemas_in::elements),
    entry("pattern", vocabulary::validation),
    entry("patternProperties", vocabulary::applicator, schemas_in::members),
    entry("prefixItems", vocabulary::applicator, schemas_in::elements, draft::draft2020),
    entry("properties", vocabulary::applicator, schemas_in::members),
    entry("propertyNames", vocabulary::applicator, schemas_in::value, draft::draft6),
    entry("readOnly", vocabulary::annotation, schemas_in::none, draft::draft7),
    entry("required", vocabulary::validation),
    entry("then", vocabulary::applicator, schemas_in::value, draft::draft7),
    entry("title", vocabulary::annotation),
    entry("type", vocabulary::validation),
    entry("unevaluatedItems", vocabulary::unevaluated, schemas_in::value, draft::draft2019),
    entry("unevaluatedProperties", vocabulary::unevaluated, schemas_in::value, draft::draft2019),
    entry("uniqueItems", vocabulary::validation),
    entry("writeOnly", vocabulary::annotation, schemas_in::none, draft::draft7),
};
static_assert(std::is_sorted(known_keywords.begin(), known_keywords.end(),
                             [](const schema_keyword& a, const schema_keyword& b) { return a.name < b.name; }));

}  // namespace

const schema_keyword* find_keyword(std::string_view name) noexcept {
    const auto* const found = std::lower_bound(known_keywords.begin(), known_keywords.end(), name,
                                               [](const schema_keyword& left, std::string_view right) { return left.name < right; });
    return found != known_keywords.end() && found->name == name ? found : nullptr;
}

bool is_only_reference(const json& schema, draft which) noexcept {
    return which <= draft::draft7 && string_member(schema, "$ref").has_value();
}

const json* keyword_value(const json& schema, std::string_view name, draft which) noexcept {
    const schema_keyword* const found = find_keyword(name);
    const bool active = found != nullptr && found->is_in(which) && (name == "$ref" || !is_only_reference(schema, which));
    return active ? find_member(schema, name) : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
