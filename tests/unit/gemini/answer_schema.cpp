#include "gemini/answer_schema.hpp"

#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using ai::json;
using namespace std::chrono_literals;

namespace {

std::string converted(const std::string& schema) {
    const auto out = ai::gemini_codec::answer_schema(support::parsed(schema));
    return out ? ai::dump_json(*out) : "-";
}

const json point = *ai::parse_json(R"({"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]})");

ai::model_request question(bool functions = true) {
    ai::model_request request;
    request.messages.push_back(ai::user_message("Where?"));
    request.answer_schema = std::make_shared<const json>(point);
    if (functions) {
        request.declarations = *ai::declare({{.name = "f", .description = "F."}});
    }
    request.time_left = 10s;
    return request;
}

/// The body that the strict service took, or its refusal.
json sent(const ai::model_request& request, ai::gemini_options options = {}) {
    fake::gemini_emulator service(fake::gemini_emulator_options{.service = {.models = {options.model}}});
    service.enqueue(fake::gemini_reply::text(R"({"x": 1})"));
    options.api_key = "test-key";
    options.base_url = service.base_url();
    const auto response = ai::gemini(options).complete(request, {}, {});
    return response ? service.requests().front().body : json(response.error().message);
}

}  // namespace

TEST_CASE("a schema that the service takes keeps its meaning: references are inlined, constants are choices, annotations go") {
    CHECK(converted(R"({"type": "object", "properties": {"a": {"type": ["string", "null"], "format": "date"}, "b": {"const": "x"}},
                        "required": ["a"], "additionalProperties": false, "title": "T", "$schema": "https://json-schema.org/draft/2020-12/schema"})") ==
          R"({"additionalProperties":false,"properties":{"a":{"format":"date","type":["string","null"]},"b":{"enum":["x"]}},)"
          R"("required":["a"],"title":"T","type":"object"})");
    CHECK(converted(R"({"type": "array", "items": {"$ref": "#/$defs/n", "description": "one"}, "maxItems": 3,
                        "$defs": {"n": {"type": "integer", "minimum": 0, "default": 1, "description": "any"}}})") ==
          R"({"items":{"description":"one","minimum":0,"type":"integer"},"maxItems":3,"type":"array"})");
    CHECK(converted(
              R"({"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "number"}}], "description": "d"})") ==
          R"({"anyOf":[{"type":"string"},{"additionalProperties":{"type":"number"},"type":"object"}],"description":"d"})");
    CHECK(converted(R"({"type": "array", "prefixItems": [{"enum": ["a", 1]}], "minItems": 1})") ==
          R"({"minItems":1,"prefixItems":[{"enum":["a",1]}],"type":"array"})");
}

TEST_CASE("a schema that the service would ignore in part, read differently or refuse is not taken") {
    for (
        const char* schema : {
            "true",
            "{}",
            R"({"description": "anything"})",
            R"({"type": "any"})",
            R"({"type": []})",
            R"({"type": "string", "pattern": "^a"})",
            R"({"type": "string", "minLength": 1})",
            R"({"type": "number", "exclusiveMinimum": 0})",
            R"({"type": "integer", "multipleOf": 2})",
            R"({"oneOf": [{"type": "string"}, {"type": "number"}]})",
            R"({"allOf": [{"type": "string"}]})",
            R"({"not": {"type": "string"}})",
            R"({"anyOf": []})",
            R"({"type": "string", "anyOf": [{"type": "string"}]})",
            R"({"enum": [true]})",
            R"({"enum": ["a", null]})",
            R"({"enum": []})",
            R"({"const": null})",
            R"({"const": "a", "enum": ["a"]})",
            R"({"type": "array"})",
            R"({"type": "array", "items": true})",
            R"({"type": "array", "items": {"type": "string"}, "uniqueItems": true})",
            R"({"type": "array", "items": {"type": "string"}, "maxItems": 100000})",
            R"({"type": "object"})",
            R"({"type": "object", "properties": {"a": {}}})",
            R"({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["b"]})",
            R"({"type": "object", "properties": {"a": {"type": "string"}}, "patternProperties": {}})",
            R"({"$ref": "#/$defs/none"})",
            R"({"$ref": "other.json"})",
            R"({"type": "object", "properties": {"next": {"$ref": "#"}}})",
            R"({"type": "array", "items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"$ref": "#/$defs/b", "minimum": 1}, "b": {"type": "number"}}})",
            R"({"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"type": "number"}]}}})",
            R"({"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}})",
            R"({"$ref": "#/$defs/a", "$defs": {"a": {"type": "string", "$id": "x"}}})",
            R"({"$ref": 5})",
            R"({"$ref": "#"})",
            R"({"$ref": "#/$defs/a", "minimum": 1, "$defs": {"a": {"type": "number"}}})",
            R"({"type": "object", "properties": {"a": {"type": "string", "$id": "x"}}})",
            R"({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "prefixItems": [{"type": "string"}]})",
        }) {
        CAPTURE(schema);
        CHECK(converted(schema) == "-");
    }
    json large = support::parsed(R"({"type": "object", "properties": {}})");
    json deep = support::parsed(R"({"type": "string"})");
    for (int i = 0; i < 1'001; ++i) {
        large["properties"]["p" + std::to_string(i)] = support::parsed(R"({"type": "string"})");
    }
    CHECK_FALSE(ai::gemini_codec::answer_schema(large));
    for (int i = 0; i < 40; ++i) {
        deep = json::object({{"type", "array"}, {"items", deep}});
    }
    CHECK_FALSE(ai::gemini_codec::answer_schema(deep));
}

TEST_CASE("an answer is held to a schema by models that combine it with functions") {
    const auto takes = [](ai::gemini_options options, const json& schema = point) {
        return ai::takes_answer_schema(ai::gemini(std::move(options)), schema);
    };
    CHECK(takes({}));
    CHECK(takes({.model = "models/gemini-3.1-pro-preview"}));
    CHECK(takes({.model = "gemini-flash-latest"}));
    CHECK(takes({.tool_mode = ai::gemini_tool_mode::any}));
    CHECK_FALSE(takes({}, json::object()));
    CHECK_FALSE(takes({.model = "gemini-2.5-flash"}));
    CHECK_FALSE(takes({.model = "gemma-3"}));
    CHECK_FALSE(takes({.tool_mode = ai::gemini_tool_mode::validated}));
}

TEST_CASE("the schema of an answer is sent as JSON output, and the service takes it beside functions in every mode") {
    const json expected = json::object({{"responseMimeType", "application/json"}, {"responseJsonSchema", point}});
    for (const char* model : {"gemini-3.1-pro-preview", "gemini-3.8-flash", "gemini-4-argon"}) {
        CAPTURE(model);
        const json body = sent(question(), {.model = model});
        REQUIRE(body.is_object());
        CHECK(body["generationConfig"] == expected);
        CHECK(body["toolConfig"]["functionCallingConfig"]["mode"] == "AUTO");
    }
    CHECK(sent(question(false))["generationConfig"] == expected);
    ai::model_request request = question();
    request.mode = ai::tool_mode::none;
    CHECK(sent(request)["generationConfig"] == expected);
    CHECK_FALSE(sent(request).contains("tools"));
    request.mode = ai::tool_mode::validated;
    CHECK(sent(request)["generationConfig"] == expected);
    CHECK(sent(request)["toolConfig"]["functionCallingConfig"]["mode"] == "AUTO");
    CHECK_FALSE(sent(request, {.allowed_functions = {"f"}}).contains("generationConfig"));
    request.mode = ai::tool_mode::required;
    CHECK_FALSE(sent(request).contains("generationConfig"));
    CHECK(sent(request)["toolConfig"]["functionCallingConfig"]["mode"] == "ANY");
}

TEST_CASE("the schema of a request wins over that of the options, for this request") {
    const ai::gemini_options options{.generation = {.seed = 7,
                                                    .response_mime_type = "application/json",
                                                    .response_json_schema = support::parsed(R"({"type": "string"})")}};
    CHECK(sent(question(), options)["generationConfig"]["responseJsonSchema"] == point);
    CHECK(sent(question(), options)["generationConfig"]["seed"] == 7);
    ai::model_request other = question();
    other.answer_schema = nullptr;
    CHECK(sent(other, options)["generationConfig"]["responseJsonSchema"] == support::parsed(R"({"type": "string"})"));
    other.answer_schema = std::make_shared<const json>(json::object());  // not taken
    CHECK(sent(other, options)["generationConfig"] == support::parsed(R"({"seed": 7})"));
    const ai::gemini_options raw{
        .raw_members = support::parsed(R"({"generationConfig": {"responseFormat": [], "response_schema": {"type": "STRING"}}})")};
    CHECK(sent(question(), raw)["generationConfig"].size() == 2);
}
