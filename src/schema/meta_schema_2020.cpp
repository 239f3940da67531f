#include "schema/meta_schema_sources.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

const std::string_view meta_schemas_2020 = R"({
"schema": {
    "$vocabulary": {"core": true, "applicator": true, "unevaluated": true, "validation": true, "meta-data": true, "format-annotation": true,
        "content": true},
    "title": "Core and Validation specifications meta-schema",
    "allOf": [{"$ref": "meta/core"}, {"$ref": "meta/applicator"}, {"$ref": "meta/unevaluated"}, {"$ref": "meta/validation"},
        {"$ref": "meta/meta-data"}, {"$ref": "meta/format-annotation"}, {"$ref": "meta/content"}],
    "properties": {
        "definitions": {"type": "object", "additionalProperties": {"$dynamicRef": "#meta"}, "deprecated": true, "default": {}},
        "dependencies": {"type": "object", "deprecated": true, "default": {}, "additionalProperties": {
            "anyOf": [{"$dynamicRef": "#meta"}, {"$ref": "meta/validation#/$defs/stringArray"}]}},
        "$recursiveAnchor": {"$ref": "meta/core#/$defs/anchorString", "deprecated": true},
        "$recursiveRef": {"$ref": "meta/core#/$defs/uriReferenceString", "deprecated": true}
}},
"meta/core": {
    "title": "Core vocabulary meta-schema",
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
}},
"meta/applicator": {
    "title": "Applicator vocabulary meta-schema",
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
},
"meta/unevaluated": {
    "title": "Unevaluated applicator vocabulary meta-schema",
    "properties": {"unevaluatedItems": {"$dynamicRef": "#meta"}, "unevaluatedProperties": {"$dynamicRef": "#meta"}}
},
"meta/validation": {
    "title": "Validation vocabulary meta-schema",
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
}},
"meta/meta-data": {
    "title": "Meta-data vocabulary meta-schema",
    "properties": {
        "title": {"type": "string"},
        "description": {"type": "string"},
        "default": true,
        "deprecated": {"type": "boolean", "default": false},
        "readOnly": {"type": "boolean", "default": false},
        "writeOnly": {"type": "boolean", "default": false},
        "examples": {"type": "array", "items": true}
}},
"meta/format-annotation": {
    "title": "Format vocabulary meta-schema for annotation results",
    "properties": {"format": {"type": "string"}}
},
"meta/format-assertion": {
    "title": "Format vocabulary meta-schema for assertion results",
    "properties": {"format": {"type": "string"}}
},
"meta/content": {
    "title": "Content vocabulary meta-schema",
    "properties": {
        "contentEncoding": {"type": "string"},
        "contentMediaType": {"type": "string"},
        "contentSchema": {"$dynamicRef": "#meta"}
}}
})";

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
