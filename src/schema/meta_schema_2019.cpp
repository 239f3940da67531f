#include "schema/meta_schema_sources.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

const std::string_view meta_schemas_2019 = R"({
"schema": {
    "$vocabulary": {"core": true, "applicator": true, "validation": true, "meta-data": true, "format": false, "content": true},
    "title": "Core and Validation specifications meta-schema",
    "allOf": [{"$ref": "meta/core"}, {"$ref": "meta/applicator"}, {"$ref": "meta/validation"}, {"$ref": "meta/meta-data"},
        {"$ref": "meta/format"}, {"$ref": "meta/content"}],
    "properties": {
        "definitions": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}, "default": {}},
        "dependencies": {"type": "object", "additionalProperties": {
            "anyOf": [{"$recursiveRef": "#"}, {"$ref": "meta/validation#/$defs/stringArray"}]}}
}},
"meta/core": {
    "title": "Core vocabulary meta-schema",
    "properties": {
        "$id": {"type": "string", "format": "uri-reference", "$comment": "Non-empty fragments not allowed.", "pattern": "^[^#]*#?$"},
        "$schema": {"type": "string", "format": "uri"},
        "$anchor": {"type": "string", "pattern": "^[A-Za-z][-A-Za-z0-9.:_]*$"},
        "$ref": {"type": "string", "format": "uri-reference"},
        "$recursiveRef": {"type": "string", "format": "uri-reference"},
        "$recursiveAnchor": {"type": "boolean", "default": false},
        "$vocabulary": {"type": "object", "propertyNames": {"type": "string", "format": "uri"},
            "additionalProperties": {"type": "boolean"}},
        "$comment": {"type": "string"},
        "$defs": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}, "default": {}}
}},
"meta/applicator": {
    "title": "Applicator vocabulary meta-schema",
    "properties": {
        "additionalItems": {"$recursiveRef": "#"},
        "unevaluatedItems": {"$recursiveRef": "#"},
        "items": {"anyOf": [{"$recursiveRef": "#"}, {"$ref": "#/$defs/schemaArray"}]},
        "contains": {"$recursiveRef": "#"},
        "additionalProperties": {"$recursiveRef": "#"},
        "unevaluatedProperties": {"$recursiveRef": "#"},
        "properties": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}, "default": {}},
        "patternProperties": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}, "propertyNames": {"format": "regex"},
            "default": {}},
        "dependentSchemas": {"type": "object", "additionalProperties": {"$recursiveRef": "#"}},
        "propertyNames": {"$recursiveRef": "#"},
        "if": {"$recursiveRef": "#"},
        "then": {"$recursiveRef": "#"},
        "else": {"$recursiveRef": "#"},
        "allOf": {"$ref": "#/$defs/schemaArray"},
        "anyOf": {"$ref": "#/$defs/schemaArray"},
        "oneOf": {"$ref": "#/$defs/schemaArray"},
        "not": {"$recursiveRef": "#"}
    },
    "$defs": {"schemaArray": {"type": "array", "minItems": 1, "items": {"$recursiveRef": "#"}}}
},
"meta/validation": {
    "title": "Validation vocabulary meta-schema",
    "properties": {
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
        "dependentRequired": {"type": "object", "additionalProperties": {"$ref": "#/$defs/stringArray"}},
        "const": true,
        "enum": {"type": "array", "items": true},
        "type": {"anyOf": [{"$ref": "#/$defs/simpleTypes"},
            {"type": "array", "items": {"$ref": "#/$defs/simpleTypes"}, "minItems": 1, "uniqueItems": true}]}
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
"meta/format": {
    "title": "Format vocabulary meta-schema",
    "properties": {"format": {"type": "string"}}
},
"meta/content": {
    "title": "Content vocabulary meta-schema",
    "properties": {
        "contentMediaType": {"type": "string"},
        "contentEncoding": {"type": "string"},
        "contentSchema": {"$recursiveRef": "#"}
}}
})";

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
