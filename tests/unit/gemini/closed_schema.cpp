#include <pyaichat/gemini/closed_schema.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <string>

namespace ai = pyaichat;
using ai::json;

namespace {

ai::result<json> close_root(const std::string& schema) {
    return ai::gemini_codec::closed_schema(support::parsed(schema));
}

std::string with_parameter(const std::string& schema, const std::string& more) {
    return R"({"type": "object", "properties": {"x": )" + schema + "}" + more + "}";
}

/// What the schema of one parameter becomes.
json close(const std::string& schema, const std::string& more = "") {
    const auto closed = close_root(with_parameter(schema, more));
    if (!closed) {
        FAIL(closed.error().message);
    }
    return (*closed)["properties"]["x"];
}

std::string refusal(const std::string& schema, const std::string& more = "") {
    const auto closed = close_root(with_parameter(schema, more));
    REQUIRE_FALSE(closed);
    return closed.error().message;
}

}  // namespace

TEST_CASE("types are written in capitals, counts as texts, and keywords go where their type is") {
    CHECK(
        close(R"({"type": "string", "description": "d", "title": "t", "minLength": 1, "maxLength": 3, "pattern": "a", "format": "date-time",
                    "minimum": 5, "items": {"type": "string"}})") ==
        support::parsed(R"({"type": "STRING", "description": "d", "title": "t", "minLength": "1", "maxLength": "3", "pattern": "a",
                     "format": "date-time"})"));
    CHECK(close(R"({"type": "integer", "minimum": 1, "maximum": 7, "format": "int32", "default": 2})") ==
          support::parsed(R"({"type": "INTEGER", "minimum": 1, "maximum": 7, "format": "int32", "default": 2})"));
    CHECK(close(R"({"type": "array", "items": {"type": "boolean"}, "minItems": 0, "maxItems": 4.0})") ==
          support::parsed(R"({"type": "ARRAY", "items": {"type": "BOOLEAN"}, "minItems": "0", "maxItems": "4"})"));
    CHECK(close(R"({"type": "object", "properties": {"a": {"type": "number"}}, "required": ["a"], "minProperties": 1,
                    "additionalProperties": false})") ==
          support::parsed(R"({"type": "OBJECT", "properties": {"a": {"type": "NUMBER"}}, "required": ["a"], "minProperties": "1"})"));
}

TEST_CASE("what the official client sends for its own form is what the same JSON Schema becomes") {
    // tests/support/golden.hpp, request 06; the order of properties is the client's habit
    CHECK(*close_root(R"({"type": "object", "required": ["city"], "properties": {
              "city": {"type": "string", "description": "City name"},
              "units": {"type": "string", "format": "enum", "enum": ["metric", "imperial"]},
              "days": {"type": ["integer", "null"], "format": "int32", "minimum": 1, "maximum": 7},
              "tags": {"type": "array", "items": {"type": "string"}, "minItems": 0, "maxItems": 4}}})") ==
          support::parsed(R"({"type": "OBJECT", "required": ["city"], "properties": {
              "city": {"type": "STRING", "description": "City name"},
              "units": {"type": "STRING", "format": "enum", "enum": ["metric", "imperial"]},
              "days": {"type": "INTEGER", "format": "int32", "minimum": 1, "maximum": 7, "nullable": true},
              "tags": {"type": "ARRAY", "items": {"type": "STRING"}, "minItems": "0", "maxItems": "4"}}})"));
}

TEST_CASE("annotations that the subset lacks are left out") {
    CHECK(close(R"({"type": "string", "$comment": "c", "examples": ["a"], "deprecated": true, "readOnly": true, "x-mine": 1,
                    "contentMediaType": "text/html", "uniqueItems": false, "additionalProperties": {}})") ==
          support::parsed(R"({"type": "STRING"})"));
}

TEST_CASE("or null is `nullable`") {
    const json expected = support::parsed(R"({"type": "STRING", "nullable": true})");
    CHECK(close(R"({"type": ["string", "null"]})") == expected);
    CHECK(close(R"({"anyOf": [{"type": "string"}, {"type": "null"}]})") == expected);
    CHECK(close(R"({"oneOf": [{"const": null}, {"type": "string"}]})") == expected);
    CHECK(close(R"({"enum": ["a", null]})") == support::parsed(R"({"type": "STRING", "enum": ["a"], "nullable": true})"));
    CHECK(close(R"({"type": "string", "enum": ["a", null]})") == support::parsed(R"({"type": "STRING", "enum": ["a"]})"));
    CHECK(close(R"({"type": "null"})") == support::parsed(R"({"type": "NULL"})"));
    CHECK(close(R"({"anyOf": [{"type": "integer", "description": "inner"}, {"type": "null"}], "description": "outer", "default": null})") ==
          support::parsed(R"({"type": "INTEGER", "nullable": true, "description": "outer", "default": null})"));
}

TEST_CASE("one value is an enumeration of one") {
    CHECK(close(R"({"const": "a"})") == support::parsed(R"({"type": "STRING", "enum": ["a"]})"));
    CHECK(refusal(R"({"const": 5})") == "\"/properties/x/const\": only strings can be listed, not 5");
    CHECK(refusal(R"({"type": "integer", "enum": [1, 2]})") == "\"/properties/x/enum\": only strings can be listed, not 1");
}

TEST_CASE("a choice stands alone on its node, what was beside it in each branch") {
    CHECK(close(R"({"type": ["string", "integer", "null"], "minimum": 1, "maxLength": 2})") ==
          support::parsed(R"({"anyOf": [{"type": "STRING", "maxLength": "2"}, {"type": "INTEGER", "minimum": 1}, {"type": "NULL"}]})"));
    CHECK(close(R"({"oneOf": [{"type": "string", "description": "a"}, {"type": "integer"}], "description": "both"})") ==
          support::parsed(R"({"anyOf": [{"type": "STRING", "description": "a"}, {"type": "INTEGER", "description": "both"}]})"));
    CHECK(close(R"({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                    "anyOf": [{"required": ["a"]}, {"required": ["b"]}]})") == support::parsed(R"({"anyOf": [
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}, "b": {"type": "STRING"}}, "required": ["a"]},
        {"type": "OBJECT", "properties": {"a": {"type": "STRING"}, "b": {"type": "STRING"}}, "required": ["b"]}]})"));
}

TEST_CASE("references are written out") {
    CHECK(close(R"({"$ref": "#/$defs/unit", "description": "mine"})",
                R"(, "$defs": {"unit": {"enum": ["m", "ft"], "description": "theirs"}})") ==
          support::parsed(R"({"type": "STRING", "enum": ["m", "ft"], "description": "mine"})"));
    CHECK(close(R"({"type": "array", "items": {"$ref": "#/definitions/a~1b%20c"}})",
                R"(, "definitions": {"a/b c": {"$ref": "#/definitions/d"}, "d": {"type": "number"}})") ==
          support::parsed(R"({"type": "ARRAY", "items": {"type": "NUMBER"}})"));
    CHECK(
        close(R"({"allOf": [{"$ref": "#/$defs/a"}, {"properties": {"c": {"type": "string"}}, "required": ["c"]}]})",
              R"(, "$defs": {"a": {"type": "object", "properties": {"b": {"type": "string"}}, "required": ["b"]}})") ==
        support::parsed(R"({"type": "OBJECT", "properties": {"b": {"type": "STRING"}, "c": {"type": "STRING"}}, "required": ["b", "c"]})"));
    // Twice the same is no recursion.
    CHECK(close(R"({"type": "object", "properties": {"a": {"$ref": "#/$defs/n"}, "b": {"$ref": "#/$defs/n"}}})",
                R"(, "$defs": {"n": {"type": "number"}})")["properties"]["b"] == support::parsed(R"({"type": "NUMBER"})"));
}

TEST_CASE("a property may be called like a keyword") {
    CHECK(close(R"({"type": "object", "properties": {"not": {"type": "string"}, "allOf": {"type": "string"}}})")["properties"].size() == 2);
}

TEST_CASE("references that lead back, out or nowhere are errors that name them") {
    CHECK(refusal(R"({"$ref": "#/$defs/a"})", R"(, "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}})") ==
          "\"/properties/x/items\": the reference \"#/$defs/a\" leads back to itself");
    CHECK(refusal(R"({"$ref": "#/properties/x"})") == "\"/properties/x\": the reference \"#/properties/x\" leads back to itself");
    CHECK(refusal(R"({"$ref": "#/$defs/b"})") == "\"/properties/x\": the reference \"#/$defs/b\" leads to nothing");
    CHECK(refusal(R"({"$ref": "https://example.org/a"})") ==
          "\"/properties/x\": the reference \"https://example.org/a\" does not lead to a place in this schema by its path");
    const auto recursive = close_root(R"({"type": "object", "properties": {"next": {"$ref": "#"}}})");
    REQUIRE_FALSE(recursive);
    CHECK(recursive.error().message == "\"/properties/next/properties/next\": the reference \"#\" leads back to itself");
}

TEST_CASE("what cannot be expressed is named with its place") {
    for (const char* keyword : {"not", "multipleOf", "contains", "propertyNames", "patternProperties", "if", "dependentRequired",
                                "dependentSchemas", "prefixItems", "unevaluatedItems"}) {
        CAPTURE(keyword);
        CHECK(refusal(std::string(R"({"type": "string", ")") + keyword + R"(": {}})") ==
              std::string("\"/properties/x/") + keyword + "\": `" + keyword + "` cannot be expressed");
    }
    CHECK(refusal(R"({"type": "array", "items": {"type": "string"}, "uniqueItems": true})") ==
          "\"/properties/x/uniqueItems\": `uniqueItems` cannot be expressed");
    CHECK(refusal(R"({"type": "object", "additionalProperties": {"type": "string"}})") ==
          "\"/properties/x/additionalProperties\": `additionalProperties` as a schema cannot be expressed");
    CHECK(refusal(R"({"type": "number", "exclusiveMinimum": 0})") ==
          "\"/properties/x/exclusiveMinimum\": `exclusiveMinimum` cannot be expressed");
    CHECK(refusal(R"({"type": "array"})") == "\"/properties/x\": an array without `items` cannot be expressed");
    CHECK(refusal("true") == "\"/properties/x\": a schema that is not an object cannot be expressed");
    CHECK(refusal("{}") == "\"/properties/x\": a schema without `type` cannot be expressed");
    CHECK(refusal(R"({"allOf": [{"type": "string"}, {"type": "integer"}]})") ==
          "\"/properties/x/allOf/1\": `type` has two different values");
    CHECK(refusal(R"({"type": "object", "properties": {"a-b": {"type": "string"}}})") ==
          "\"/properties/x/properties/a-b\": a property name may have only letters, digits and `_`, at most 64, and no digit first");
    CHECK(refusal(R"({"type": "object", "required": ["a"]})") ==
          "\"/properties/x/required\": \"a\" is required but missing in `properties`");
}

TEST_CASE("exclusive bounds of integers become inclusive ones, the narrower one wins") {
    CHECK(close(R"({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10})") ==
          support::parsed(R"({"type": "INTEGER", "minimum": 1, "maximum": 9})"));
    CHECK(close(R"({"type": "integer", "exclusiveMinimum": 0, "minimum": 5, "exclusiveMaximum": 10, "maximum": 20})") ==
          support::parsed(R"({"type": "INTEGER", "minimum": 5, "maximum": 9})"));
}

TEST_CASE("the root is one object; without properties there is nothing to declare") {
    CHECK(*close_root(R"({"type": "object", "additionalProperties": false})") == json());
    CHECK(*close_root(R"({"$ref": "#/$defs/a", "$defs": {"a": {"type": "object", "properties": {"b": {"type": "string"}}}}})") ==
          support::parsed(R"({"type": "OBJECT", "properties": {"b": {"type": "STRING"}}})"));
    for (const char* root : {R"({"type": "string"})", R"({"anyOf": [{"type": "object"}, {"type": "string"}]})", "5", "[]"}) {
        CHECK_FALSE(close_root(root));
    }
}

TEST_CASE("references that double at each level, and depth without end, are refused and not followed") {
    std::string doubling = R"({"type": "object", "properties": {"x": {"$ref": "#/$defs/a0"}}, "$defs": {)";
    for (int i = 0; i < 40; ++i) {
        const std::string next = R"({"$ref": "#/$defs/a)" + std::to_string(i + 1) + R"("})";
        doubling += "\"a" + std::to_string(i) + R"(": {"type": "object", "properties": {"l": )" + next + R"(, "r": )" + next + "}},";
    }
    const auto refused = close_root(doubling + R"("a40": {"type": "string"}}})");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ai::errc::too_large);
    json deep = json::object({{"type", "string"}});
    for (int i = 0; i < 100'000; ++i) {
        json outer = json::object();
        outer["type"] = "array";
        outer["items"] = std::move(deep);
        deep = std::move(outer);
    }
    json root = json::object();
    root["type"] = "object";
    root["properties"]["x"] = std::move(deep);
    const auto too_deep = ai::gemini_codec::closed_schema(root);
    REQUIRE_FALSE(too_deep);
    CHECK(too_deep.error().code == ai::errc::too_large);
}
