#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <string>

namespace ai = pyaichat;

namespace {

std::vector<ai::schema_error> errors(const ai::json& schema, const ai::json& value, const ai::schema_options& options = {}) {
    const ai::result<ai::compiled_schema> made = ai::compile_schema(schema, options);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return ai::validate(*made, value);
}

/// All errors in one text: "/path keyword: message | ...".
std::string said(std::string_view schema, std::string_view value, const ai::schema_options& options = {}) {
    std::string text;
    for (const ai::schema_error& error : errors(support::parsed(schema), support::parsed(value), options)) {
        text += (text.empty() ? "" : " | ") + error.path + ' ' + error.keyword + ": " + error.message;
    }
    return text;
}

}  // namespace

TEST_CASE("an error says what to do") {
    CHECK(said(R"({"type": "string"})", "7") == " type: must be a string, not number");
    CHECK(said(R"({"type": ["integer", "null"]})", "7.5") == " type: must be an integer or null, not 7.5");
    CHECK(said(R"({"enum": ["metric", "imperial"]})", R"("metrik")") == R"( enum: must be one of "metric", "imperial")");
    CHECK(said(R"({"enum": ["metric"]})", "1") == R"( enum: must be "metric")");
    CHECK(said(R"({"const": {"a": [1]}})", "1") == R"( const: must be {"a":[1]})");
    CHECK(said(R"({"minimum": 1})", "0.5") == " minimum: must be at least 1, not 0.5");
    CHECK(said(R"({"maximum": 1})", "2") == " maximum: must be at most 1, not 2");
    CHECK(said(R"({"exclusiveMinimum": 1})", "1") == " exclusiveMinimum: must be more than 1, not 1");
    CHECK(said(R"({"exclusiveMaximum": 1})", "1") == " exclusiveMaximum: must be less than 1, not 1");
    CHECK(said(R"({"multipleOf": 0.01})", "0.075") == " multipleOf: must be a multiple of 0.01, not 0.075");
    CHECK(said(R"({"minLength": 1})", R"("")") == " minLength: must have at least 1 character, not 0");
    CHECK(said(R"({"maxLength": 2})", R"("ü😀x")") == " maxLength: must have at most 2 characters, not 3");
    CHECK(said(R"({"pattern": "^[a-z]+$"})", R"("A")") == R"( pattern: must match the pattern "^[a-z]+$")");
    CHECK(said(R"({"format": "date"})", R"("today")", {.formats = true}) == " format: must be a date like 2024-02-29");
    CHECK(said(R"({"minItems": 2})", "[1]") == " minItems: must have at least 2 items, not 1");
    CHECK(said(R"({"maxItems": 0})", "[1]") == " maxItems: must have at most 0 items, not 1");
    CHECK(said(R"({"uniqueItems": true})", R"([1, "1", 1.0])") == " uniqueItems: must not repeat an item: 0 and 2 are equal");
    CHECK(said(R"({"contains": {"type": "null"}})", "[1]") == R"( contains: must have at least 1 item that fits {"type":"null"}, not 0)");
    CHECK(said(R"({"contains": true, "maxContains": 1})", "[1, 2]") == " maxContains: must have at most 1 item that fits true");
    CHECK(said(R"({"prefixItems": [true], "items": false})", "[1, 2]") == " items: must have at most 1 item, not 2");
    CHECK(said(R"({"minProperties": 1})", "{}") == " minProperties: must have at least 1 member, not 0");
    CHECK(said(R"({"maxProperties": 0})", R"({"a": 1})") == " maxProperties: must have at most 0 members, not 1");
    CHECK(said(R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})") ==
          R"( dependentRequired: must have the member "b", because it has "a")");
    CHECK(said(R"({"propertyNames": {"maxLength": 1}})", R"({"ab": 1})") ==
          R"( propertyNames: must not have the member "ab": a name must have at most 1 character, not 2)");
    CHECK(said(R"({"not": {"type": "null"}})", "null") == R"( not: must not fit {"type":"null"})");
    CHECK(said(R"({"properties": {"a": false}})", R"({"a": 1})") == "/a false: must not be there");
    CHECK(said(R"({"oneOf": [true, false, true]})", "1") ==
          " oneOf: must fit exactly one of 3 schemas, but fits both number 1 and number 3");
    CHECK(said(R"({"unevaluatedItems": false})", "[1]") == "/0 unevaluatedItems: must not be there: no schema speaks of it");
}

TEST_CASE("missing and misspelt members are told together, with the likely name") {
    constexpr auto schema =
        R"({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": false})";
    CHECK(said(schema, R"({"citty": "Oslo"})") ==
          R"( required: must have the member "city" |  additionalProperties: must not have the member "citty"; did you mean "city"?)");
    CHECK(said(R"({"properties": {"city": true}, "unevaluatedProperties": false})", R"({"citty": 1})") ==
          R"( unevaluatedProperties: must not have the member "citty"; did you mean "city"?)");
}

TEST_CASE("paths are JSON Pointers") {
    CHECK(said(R"({"properties": {"a/b": {"items": {"properties": {"~": {"type": "null"}}}}}})", R"({"a/b": [{}, {"~": 1}]})") ==
          "/a~1b/1/~0 type: must be null, not number");
}

TEST_CASE("of alternatives, the one that was meant is explained") {
    SECTION("by type") {
        CHECK(said(R"({"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]})", R"("ab")") ==
              " minLength: must have at least 3 characters, not 2");
    }
    SECTION("by a constant member") {
        constexpr auto shapes = R"({"oneOf": [
            {"properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}, "required": ["kind", "radius"]},
            {"properties": {"kind": {"const": "square"}, "side": {"type": "number"}}, "required": ["kind", "side"]}]})";
        CHECK(said(shapes, R"({"kind": "square", "side": "2"})") == "/side type: must be a number, not string");
        CHECK(said(shapes, R"({"kind": "circle"})") == R"( required: must have the member "radius")");
        CHECK(said(shapes, R"({"kind": "blob"})") == R"( oneOf: must have the member "radius"; or must have the member "side")");
    }
    SECTION("when any could have been meant, all are named") {
        CHECK(said(R"({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})", "1") ==
              " anyOf: must be a string, not number; or must be an array, not number");
        CHECK(said(R"({"anyOf": [{"minimum": 5}, {"multipleOf": 2}]})", "1") ==
              " anyOf: must be at least 5, not 1; or must be a multiple of 2, not 1");
    }
}

TEST_CASE("if and then give the errors of the branch that applies") {
    constexpr auto schema = R"({"if": {"properties": {"a": {"const": 1}}}, "then": {"required": ["b"]}, "else": {"required": ["c"]}})";
    CHECK(said(schema, R"({"a": 1})") == R"( required: must have the member "b")");
    CHECK(said(schema, R"({"a": 2})") == R"( required: must have the member "c")");
}

TEST_CASE("no more than eight errors are told, and none twice") {
    const ai::json many = ai::json(std::vector<std::string>(100, "x"));
    CHECK(errors(support::parsed(R"({"items": {"type": "integer"}})"), many).size() == ai::max_schema_errors);
    CHECK(errors(support::parsed(R"({"allOf": [{"type": "null"}, {"type": "null"}, {"$ref": "#/allOf/0"}]})"), ai::json(1)).size() == 1);
}

TEST_CASE("an error stays short, on one line and in UTF-8, whatever schema and value hold") {
    const std::string huge(100'000, 'x');
    ai::json choices = ai::json::array();
    for (int i = 0; i < 100'000; ++i) {
        choices.push_back("choice number " + std::to_string(i));
    }
    const ai::json members = {{huge, 1}, {"line\nbreak", 1}, {"\xff\xfe", 1}};
    std::vector<ai::schema_error> all = errors({{"enum", choices}}, "choise number 7");
    CHECK(all[0].message.find(R"(did you mean "choice number 7"?)") != std::string::npos);
    CHECK(all[0].message.find("more") != std::string::npos);
    for (const ai::json& schema :
         {ai::json({{"const", huge}}), ai::json({{"const", choices}}), ai::json({{"not", {{"title", huge}}}}),
          ai::json({{"required", {huge}}}), ai::json({{"additionalProperties", false}}),
          ai::json({{"additionalProperties", {{"type", "null"}}}}), ai::json({{"propertyNames", {{"pattern", "^$"}}}}),
          ai::json({{"anyOf", ai::json(std::vector<ai::json>(50, {{"required", {huge}}}))}})}) {
        for (ai::schema_error& error : errors(schema, members)) {
            all.push_back(std::move(error));
        }
    }
    CHECK(all.size() > 8);
    for (const ai::schema_error& error : all) {
        INFO(error.keyword);
        CHECK(error.message.size() < 1100);
        CHECK(error.path.size() < 1100);
        CHECK(error.message.find('\n') == std::string::npos);
        CHECK(ai::parse_json(ai::dump_json(ai::json(error.message))).value() == ai::json(error.message));
    }
}
