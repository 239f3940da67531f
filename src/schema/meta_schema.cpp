#include "schema/meta_schema.hpp"

#include <array>
#include <map>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// A document below https://json-schema.org/draft/2020-12/. `$schema`, `$id`, `$dynamicAnchor` and `$vocabulary` are added when it is read.
struct source {
    std::string_view name;
    std::string_view text;
};

constexpr std::string_view schema_text = R"({
"$vocabulary": {"core": true, "applicator": true, "unevaluated": true, "validation": true, "meta-data": true, "format-annotation": true,
    "content": true},
"title": "Core and Validation specifications meta-schema",
"type": ["object", "boolean"],
"allOf": [{"$ref": "meta/core"}, {"$ref": "meta/applicator"}, {"$ref": "meta/unevaluated"}, {"$ref": "meta/validation"},
    {"$ref": "meta/meta-data"}, {"$ref": "meta/format-annotation"}, {"$ref": "meta/content"}],
"properties": {
    "definitions": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}, "deprecated": true, "default": {}},
    "dependencies": {"type": "object", "deprecated": true, "default": {}, "additionalProperties": {
        "anyOf": [{"$dynamicRef": "#meta"}, {"$ref": "meta/validation#/$defs/stringArray"}]}},
    "$recursiveAnchor": {"$ref": "meta/core#/$defs/anchorString", "deprecated": true},
    "$recursiveRef": {"$ref": "meta/core#/$defs/uriReferenceString", "deprecated": true}
}})";

constexpr std::string_view core_text = R"({
"title": "Core vocabulary meta-schema",
"type": ["object", "boolean"],
"properties": {
    "$id": {"$ref": "#/$defs/uriReferenceString", "$comment": "Non-empty fragments not allowed.", "pattern": "^[^#]*#?$"},
    "$schema": {"$ref": "#/$defs/uriString"},
    "$ref": {"$ref": "#/$defs/uriReferenceString"},
    "$anchor": {"$ref": "#/$defs/anchorString"},
    "$dynamicRef": {"$ref": "#/$defs/uriReferenceString"},
    "$dynamicAnchor": {"$ref": "#/$defs/anchorString"},
    "$vocabulary": {"type": "object", "propertyNames": {"$ref": "#/$defs/uriString"}, "additionalProperties": {"type": "boolean"}},
    "$comment": {"type": "string"},
    "$defs": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}}
},
"$defs": {
    "anchorString": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
    "uriString": {"type": "string", "format": "uri"},
    "uriReferenceString": {"type": "string", "format": "uri-reference"}
}})";

constexpr std::string_view applicator_text = R"({
"title": "Applicator vocabulary meta-schema",
"type": ["object", "boolean"],
"properties": {
    "prefixItems": {"$ref": "#/$defs/schemaArray"},
    "items": {"$dynamicRef": "#meta"},
    "contains": {"$dynamicRef": "#meta"},
    "additionalProperties": {"$dynamicRef": "#meta"},
    "properties": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}, "default": {}},
    "patternProperties": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}, "propertyNames": {"format": "regex"},
        "default": {}},
    "dependentSchemas": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}, "default": {}},
    "propertyNames": {"$dynamicRef": "#meta"},
    "if": {"$dynamicRef": "#meta"},
    "then": {"$dynamicRef": "#meta"},
    "else": {"$dynamicRef": "#meta"},
    "allOf": {"$ref": "#/$defs/schemaArray"},
    "anyOf": {"$ref": "#/$defs/schemaArray"},
    "oneOf": {"$ref": "#/$defs/schemaArray"},
    "not": {"$dynamicRef": "#meta"}
},
"$defs": {"schemaArray": {"type": "array", "minItems": 1, "items": {"$dynamicRef": "#meta"}}}
})";

constexpr std::string_view unevaluated_text = R"({
"title": "Unevaluated applicator vocabulary meta-schema",
"type": ["object", "boolean"],
"properties": {"unevaluatedItems": {"$dynamicRef": "#meta"}, "unevaluatedProperties": {"$dynamicRef": "#meta"}}
})";

constexpr std::string_view validation_text = R"({
"title": "Validation vocabulary meta-schema",
"type": ["object", "boolean"],
"properties": {
    "type": {"anyOf": [{"$ref": "#/$defs/simpleTypes"},
        {"type": "array", "items": {"$ref": "#/$defs/simpleTypes"}, "minItems": 1, "uniqueItems": true}]},
    "const": true,
    "enum": {"type": "array", "items": true},
    "multipleOf": {"type": "number", "exclusiveMinimum": 0},
    "maximum": {"type": "number"},
    "exclusiveMaximum": {"type": "number"},
    "minimum": {"type": "number"},
    "exclusiveMinimum": {"type": "number"},
    "maxLength": {"$ref": "#/$defs/nonNegativeInteger"},
    "minLength": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
    "pattern": {"type": "string", "format": "regex"},
    "maxItems": {"$ref": "#/$defs/nonNegativeInteger"},
    "minItems": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
    "uniqueItems": {"type": "boolean", "default": false},
    "maxContains": {"$ref": "#/$defs/nonNegativeInteger"},
    "minContains": {"$ref": "#/$defs/nonNegativeInteger", "default": 1},
    "maxProperties": {"$ref": "#/$defs/nonNegativeInteger"},
    "minProperties": {"$ref": "#/$defs/nonNegativeIntegerDefault0"},
    "required": {"$ref": "#/$defs/stringArray"},
    "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/stringArray"}}
},
"$defs": {
    "nonNegativeInteger": {"type": "integer", "minimum": 0},
    "nonNegativeIntegerDefault0": {"$ref": "#/$defs/nonNegativeInteger", "default": 0},
    "simpleTypes": {"enum": ["array", "boolean", "integer", "null", "number", "object", "string"]},
    "stringArray": {"type": "array", "items": {"type": "string"}, "uniqueItems": true, "default": []}
}})";

constexpr std::string_view meta_data_text = R"({
"title": "Meta-data vocabulary meta-schema",
"type": ["object", "boolean"],
"properties": {
    "title": {"type": "string"},
    "description": {"type": "string"},
    "default": true,
    "deprecated": {"type": "boolean", "default": false},
    "readOnly": {"type": "boolean", "default": false},
    "writeOnly": {"type": "boolean", "default": false},
    "examples": {"type": "array", "items": true}
}})";

constexpr std::string_view format_annotation_text = R"({
"title": "Format vocabulary meta-schema for annotation results",
"type": ["object", "boolean"],
"properties": {"format": {"type": "string"}}
})";

constexpr std::string_view format_assertion_text = R"({
"title": "Format vocabulary meta-schema for assertion results",
"type": ["object", "boolean"],
"properties": {"format": {"type": "string"}}
})";

constexpr std::string_view content_text = R"({
"title": "Content vocabulary meta-schema",
"type": ["object", "boolean"],
"properties": {
    "contentEncoding": {"type": "string"},
    "contentMediaType": {"type": "string"},
    "contentSchema": {"$dynamicRef": "#meta"}
}})";

constexpr std::array<source, 9> sources{{
    {"schema", schema_text},
    {"meta/core", core_text},
    {"meta/applicator", applicator_text},
    {"meta/unevaluated", unevaluated_text},
    {"meta/validation", validation_text},
    {"meta/meta-data", meta_data_text},
    {"meta/format-annotation", format_annotation_text},
    {"meta/format-assertion", format_assertion_text},
    {"meta/content", content_text},
}};

using document_map = std::map<std::string, json, std::less<>>;

document_map read_documents() {
    constexpr std::string_view folder = standard_dialect.substr(0, standard_dialect.size() - std::string_view("schema").size());
    constexpr std::string_view meta = "meta/";
    document_map documents;
    for (const source& source : sources) {
        result<json> document = parse_json(source.text);
        PYAICHAT_ASSERT(document, "the built-in meta-schemas are JSON");
        json vocabulary = json::object();
        if (source.name.starts_with(meta)) {
            vocabulary[std::string(vocabulary_prefix).append(source.name.substr(meta.size()))] = true;
        } else if (const json* names = find_member(*document, "$vocabulary")) {
            for (auto name = names->begin(); name != names->end(); ++name) {
                vocabulary[std::string(vocabulary_prefix) + name.key()] = true;
            }
        }
        const std::string id = std::string(folder).append(source.name);
        (*document)["$id"] = id;
        (*document)["$schema"] = std::string(standard_dialect);
        (*document)["$dynamicAnchor"] = "meta";
        (*document)["$vocabulary"] = std::move(vocabulary);
        documents.emplace(id, std::move(*document));
    }
    return documents;
}

}  // namespace

const json* built_in_document(std::string_view uri) {
    // Never destroyed: a detached thread may still validate when the process ends.
    static const document_map& documents = *new document_map(read_documents());
    const auto found = documents.find(uri);
    return found != documents.end() ? &found->second : nullptr;
}

const compiled_schema& standard_meta_schema() {
    static const compiled_schema& compiled = []() -> const compiled_schema& {
        const result<compiled_schema> schema = compile_schema(*built_in_document(standard_dialect), {.check = false});
        PYAICHAT_ASSERT(schema, "the built-in meta-schema compiles");
        return *new compiled_schema(*schema);
    }();
    return compiled;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
