#include <pyaichat/schema/reduce.hpp>

#include <pyaichat/schema/schema_profiles.hpp>
#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <string>

namespace ai = pyaichat;
using support::parsed;

TEST_CASE("a keyword that the service does not accept is said in words") {
    // [reduce]
    const ai::json schema = parsed(R"({"type": "object", "properties": {
        "zip": {"type": "string", "pattern": "^\\d{5}$", "description": "The code."},
        "text": {"type": "string", "maxLength": 5000}}})");
    const ai::reduced_schema small = ai::reduce_schema(schema, ai::schema_profiles::llamacpp);

    CHECK(small.schema["properties"]["zip"]["description"] == R"(The code. (must match the pattern "^\d{5}$"))");
    CHECK(small.schema["properties"]["text"] == parsed(R"({"type": "string", "description": "at most 5000 characters"})"));
    CHECK(small.left_out ==
          std::vector<std::string>{"#/properties/text: at most 5000 characters", R"(#/properties/zip: must match the pattern "^\d{5}$")"});
    // [/reduce]
}

TEST_CASE("older drafts are written in 2020-12") {
    ai::schema_profile profile = ai::schema_profiles::openai;
    CHECK(ai::reduce_schema(parsed(R"({"$schema": "http://json-schema.org/draft-04/schema#", "type": "object", "properties": {
              "n": {"minimum": 0, "exclusiveMinimum": true, "const": "ignored"},
              "t": {"items": [{"type": "string"}], "additionalItems": {"type": "null"}},
              "r": {"$ref": "#/definitions/a", "minimum": 5}}, "definitions": {"a": {"id": "x", "type": "number"}}})"),
                            profile)
              .schema == parsed(R"({"type": "object", "properties": {"n": {"exclusiveMinimum": 0},
              "t": {"prefixItems": [{"type": "string"}], "items": {"type": "null"}}, "r": {"$ref": "#/$defs/a"}},
              "$defs": {"a": {"type": "number"}}})"));
}

TEST_CASE("references are kept or inlined, and recursion ends") {
    const ai::json tree = parsed(R"({"$ref": "#/$defs/tree node", "$defs": {"tree node": {"type": "object", "title": "a tree node",
        "properties": {"left": {"$ref": "#/$defs/tree node", "description": "smaller"}}}}})");
    CHECK(ai::reduce_schema(tree, ai::schema_profiles::llamacpp).schema ==
          parsed(
              R"({"type": "object", "title": "a tree node", "properties": {"left": {"$ref": "#/$defs/tree_node", "description": "smaller"}},
              "$defs": {"tree_node": {"type": "object", "title": "a tree node",
                                      "properties": {"left": {"$ref": "#/$defs/tree_node", "description": "smaller"}}}}})"));
    const ai::reduced_schema inlined = ai::reduce_schema(tree, ai::schema_profiles::ollama);
    CHECK(inlined.schema["properties"]["left"] == ai::json{{"type", "object"}, {"description", "smaller (must be a tree node)"}});
    CHECK(inlined.left_out == std::vector<std::string>{"#/properties/left: the schema is recursive"});
    CHECK(ai::reduce_schema(parsed(R"({"properties": {"a": {"$ref": "https://example.com/x"}}})"), ai::schema_profiles::gemini)
              .schema["properties"]["a"] == parsed(R"({"description": "must fit the schema \"https://example.com/x\""})"));
}

TEST_CASE("a loop of references that only a left-out keyword ends is cut") {
    const ai::json schema = parsed(R"({"anyOf": [{"$ref": "#/$defs/a"}, {"type": "string"}], "$defs": {
        "a": {"minLength": 5, "$ref": "#/$defs/b"}, "b": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}})");
    ai::schema_profile profile = ai::schema_profiles::openai;
    profile.object_root = false;
    profile.keywords = "type anyOf allOf description";
    const ai::reduced_schema small = ai::reduce_schema(schema, profile);
    REQUIRE(ai::validate(*ai::compile_schema(schema), "ab").empty());
    CHECK(ai::validate(*ai::compile_schema(small.schema), "ab").empty());
    CHECK(small.schema["$defs"] == parsed(R"({"a": {"$ref": "#/$defs/b", "description": "at least 5 characters"},
        "b": {"anyOf": [{"description": "must fit the schema \"#/$defs/a\""}, {"type": "null"}]}})"));
    CHECK(small.left_out.back() == R"(#/$defs/b: must fit the schema "#/$defs/a")");
    profile.keywords = "type anyOf properties";
    const ai::json tree = parsed(R"({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"a": {"$ref": "#/$defs/a"}}}}})");
    CHECK(ai::reduce_schema(tree, profile).schema["$defs"] == tree["$defs"]);
}

TEST_CASE("keywords are replaced by what the service has") {
    const auto property = [](std::string_view schema, ai::schema_profile profile) {
        profile.object_root = false;
        return ai::reduce_schema(parsed(schema), profile).schema;
    };
    const ai::schema_profile& gemini = ai::schema_profiles::gemini;
    CHECK(property(R"({"const": "a"})", gemini) == parsed(R"({"enum": ["a"]})"));
    CHECK(property(R"({"const": true})", gemini) == parsed(R"({"description": "must be true"})"));
    CHECK(property(R"({"oneOf": [{"type": "string"}, {"type": "null"}]})", gemini) ==
          parsed(R"({"anyOf": [{"type": "string"}, {"type": "null"}]})"));
    CHECK(property(R"({"allOf": [{"minimum": 1, "type": "number"}, {"minimum": 2, "type": "integer"}]})", gemini) ==
          parsed(R"({"minimum": 2, "type": "integer"})"));
    CHECK(property(R"({"type": "array"})", gemini) == parsed(R"({"type": "array", "items": {}})"));
    CHECK(property(R"({"type": "integer", "exclusiveMinimum": 0})", gemini) ==
          parsed(R"({"type": "integer", "minimum": 0, "description": "more than 0"})"));
    CHECK(property(R"({"prefixItems": [{"type": "null"}], "items": false})", gemini) ==
          parsed(R"({"prefixItems": [{"type": "null"}], "maxItems": 1})"));
    CHECK(property(R"({"prefixItems": [{"type": "null"}], "items": {"type": "string"}})", ai::schema_profiles::groq)["items"] ==
          parsed(R"({"anyOf": [{"type": "null"}, {"type": "string"}]})"));
    ai::schema_profile single = gemini;
    single.type_lists = false;
    CHECK(property(R"({"type": ["string", "null"], "maxItems": 1})", single) ==
          parsed(R"({"anyOf": [{"type": "string"}, {"type": "null"}], "maxItems": 1})"));
}

TEST_CASE("what accepting more inside would turn into accepting less outside is left out") {
    const ai::schema_profile& groq = ai::schema_profiles::groq;
    const auto property = [&](std::string_view schema, std::string_view keywords) {
        ai::schema_profile profile = groq;
        profile.keywords = keywords;
        profile.object_root = false;
        return ai::reduce_schema(parsed(schema), profile).schema;
    };
    CHECK(property(R"({"not": {"type": "null"}})", "not type") == parsed(R"({"not": {"type": "null"}})"));
    CHECK(property(R"({"not": {"type": "string", "minLength": 1}})", "not type") == parsed("{}"));
    CHECK(property(R"({"oneOf": [{"minLength": 1}, {"type": "null"}]})", "oneOf type") == parsed("{}"));
    CHECK(property(R"({"if": {"minLength": 1}, "then": false})", "if then") == parsed("{}"));
    CHECK(property(R"({"patternProperties": {"^x": {}}, "additionalProperties": false})", "properties additionalProperties") ==
          parsed("{}"));
    CHECK(property(R"({"contains": {"minLength": 1}, "minContains": 0})", "contains") == parsed("{}"));
    CHECK(property(R"({"contains": {"minLength": 1}, "maxContains": 1})", "contains maxContains") == parsed(R"({"contains": {}})"));
}

TEST_CASE("only plain patterns go to a service that turns them into a grammar") {
    const auto keeps = [](const std::string& pattern, const ai::schema_profile& profile) {
        return ai::reduce_schema({{"properties", {{"a", {{"pattern", pattern}}}}}}, profile).schema["properties"]["a"].contains("pattern");
    };
    for (const char* pattern : {"^[a-z]+$", "^(a|bc)?x{1,3}$", "^a\\.b$", "^[^\\]\\n]*$"}) {
        INFO(pattern);
        CHECK(keeps(pattern, ai::schema_profiles::llamacpp));
        CHECK(keeps(pattern, ai::schema_profiles::vllm));
    }
    for (const char* pattern :
         {"[a-z]+", "^a", "a$", "^a\\$", "^(?:a)$", "^\\d$", "^a+?$", "^a|^b$", "^x{1,5000}$", "^x{501}$", "^[[a]$|["}) {
        INFO(pattern);
        CHECK_FALSE(keeps(pattern, ai::schema_profiles::llamacpp));
    }
    for (const char* pattern : {"a(?=b)", "(a)\\1", "\\bword", "\\p{L}", "(?<n>a)", "x{1,5000}"}) {
        INFO(pattern);
        CHECK_FALSE(keeps(pattern, ai::schema_profiles::vllm));
        CHECK(keeps(pattern, ai::schema_profiles::openai));
    }
    CHECK(keeps("(?:\\d+)", ai::schema_profiles::vllm));
}

TEST_CASE("a hostile schema is reduced to a small one") {
    ai::json doubling = ai::json::object();
    for (int i = 0; i < 60; ++i) {
        const ai::json next = {{"$ref", "#/$defs/" + std::to_string(i + 1)}};
        doubling["$defs"][std::to_string(i)]["properties"] = {{"a", next}, {"b", next}};
    }
    doubling["$defs"]["60"] = true;
    doubling["$ref"] = "#/$defs/0";
    ai::schema_profile profile = ai::schema_profiles::gemini;
    profile.max_schemas = 500;
    profile.max_depth = 1'000'000;
    const ai::reduced_schema small = ai::reduce_schema(doubling, profile);
    CHECK(ai::dump_json(small.schema).size() < 300'000);
    CHECK_FALSE(small.left_out.empty());
    for (const char* broken :
         {"[]", "1", R"({"$ref": 1})", R"({"properties": []})", R"({"items": 1, "allOf": {}})", R"({"type": 7})",
          R"({"minContains": "a", "contains": {}})", R"({"required": "a", "allOf": [{"required": 1}]})", R"({"$ref": "#"})",
          R"({"allOf": [{"$ref": "#"}]})", R"({"enum": 1, "const": {"$ref": "#"}})", R"({"minLength": "a", "maximum": []})"}) {
        for (const ai::schema_profile& each : {ai::schema_profiles::openai, ai::schema_profiles::gemini, ai::schema_profiles::llamacpp}) {
            CHECK(ai::reduce_schema(parsed(broken), each).schema["type"] == "object");
        }
    }
}
