#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <array>
#include <string>
#include <utility>

namespace ai = pyaichat;

namespace validate_dialects_tests {

namespace {

constexpr const char* draft4 = "http://json-schema.org/draft-04/schema#";
constexpr const char* draft6 = "http://json-schema.org/draft-06/schema#";
constexpr const char* draft7 = "http://json-schema.org/draft-07/schema#";
constexpr const char* draft2019 = "https://json-schema.org/draft/2019-09/schema";
constexpr const char* draft2020 = "https://json-schema.org/draft/2020-12/schema";
constexpr std::array<const char*, 5> drafts{draft4, draft6, draft7, draft2019, draft2020};

/// Compares the drafts in which a value fits, from draft-04 to 2020-12: "yynnn".
std::string fits(std::string_view schema, std::string_view value, ai::schema_options options = {}) {
    std::string in_drafts;
    for (const char* draft : drafts) {
        options.dialect = draft;
        const ai::result<ai::compiled_schema> compiled = ai::compile_schema(support::parsed(schema), options);
        in_drafts += !compiled ? '!' : ai::validate(*compiled, support::parsed(value)).empty() ? 'y' : 'n';
    }
    return in_drafts;
}

bool fits_declared(std::string_view schema, std::string_view value, const ai::schema_options& options = {}) {
    const ai::result<ai::compiled_schema> compiled = ai::compile_schema(support::parsed(schema), options);
    INFO((compiled ? "" : compiled.error().message));
    REQUIRE(compiled);
    CHECK(compiled->remarks().empty());
    return ai::validate(*compiled, support::parsed(value)).empty();
}

}  // namespace

TEST_CASE("the draft is that of $schema, in each spelling of its URI") {
    for (const char* uri : {"http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema",
                            "https://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema"}) {
        const std::string start = std::string(R"({"$schema": ")") + uri + R"(", )";
        CHECK_FALSE(fits_declared(start + R"("items": [{"type": "null"}], "prefixItems": [true]})", "[1]"));
        CHECK(fits_declared(start + R"("dependentRequired": {"a": ["b"]}})", R"({"a": 1})"));
    }
    CHECK_FALSE(fits_declared(R"({"$schema": "http://json-schema.org/draft-04/schema", "minimum": 1, "exclusiveMinimum": true})", "1"));
    CHECK(fits_declared(R"({"$schema": "http://json-schema.org/draft-06/schema#", "if": true, "then": false})", "1"));
    CHECK_FALSE(fits_declared(R"({"$schema": "http://json-schema.org/draft/2019-09/schema#", "items": [false]})", "[1]"));
    CHECK_FALSE(fits_declared(R"({"$schema": "http://json-schema.org/draft/2020-12/schema#", "prefixItems": [false]})", "[1]"));
}

TEST_CASE("each draft ignores the keywords that it does not have") {
    CHECK(fits(R"({"const": 1})", "2") == "ynnnn");
    CHECK(fits(R"({"contains": {"type": "null"}})", "[1]") == "ynnnn");
    CHECK(fits(R"({"propertyNames": {"maxLength": 1}})", R"({"ab": 1})") == "ynnnn");
    CHECK(fits(R"({"if": {"type": "integer"}, "then": {"minimum": 2}})", "1") == "yynnn");
    CHECK(fits(R"({"if": {"type": "string"}, "else": {"minimum": 2}})", "1") == "yynnn");
    CHECK(fits(R"({"dependentRequired": {"a": ["b"]}})", R"({"a": 1})") == "yyynn");
    CHECK(fits(R"({"dependentSchemas": {"a": {"required": ["b"]}}})", R"({"a": 1})") == "yyynn");
    CHECK(fits(R"({"contains": {"type": "null"}, "minContains": 2})", "[null]") == "yyynn");
    CHECK(fits(R"({"contains": {"type": "null"}, "maxContains": 1})", "[null, null]") == "yyynn");
    CHECK(fits(R"({"contains": {"type": "null"}, "minContains": 0})", "[1]") == "ynnyy");
    CHECK(fits(R"({"unevaluatedProperties": {"type": "null"}})", R"({"a": 1})") == "yyynn");
    CHECK(fits(R"({"unevaluatedItems": {"type": "null"}})", "[1]") == "yyynn");
    CHECK(fits(R"({"prefixItems": [{"type": "null"}]})", "[1]") == "yyyyn");
    CHECK(fits(R"({"dependencies": {"a": ["b"]}})", R"({"a": 1})") == "nnnnn");
    CHECK(fits(R"({"dependencies": {"a": {"required": ["b"]}}})", R"({"a": 1})") == "nnnnn");
    CHECK(fits(R"({"dependencies": {"a": []}})", R"({"a": 1})") == "!yyyy");
    CHECK(fits(R"({"contentEncoding": "base64", "contentMediaType": "application/json"})", R"("{:}")") == "yyyyy");
}

TEST_CASE("an array of items is a tuple up to 2019-09") {
    CHECK(fits(R"({"items": [{"type": "null"}, {"type": "integer"}]})", "[1]") == "nnnn!");
    CHECK(fits(R"({"items": [{"type": "null"}], "additionalItems": false})", "[null, 1]") == "nnnn!");
    CHECK(fits(R"({"items": [{"type": "null"}], "additionalItems": {"type": "integer"}})", R"([null, 1, "x"])") == "nnnn!");
    CHECK(fits(R"({"items": [{"type": "null"}], "additionalItems": {"type": "integer"}})", "[null, 1]") == "yyyy!");
    CHECK(fits(R"({"items": {"type": "integer"}, "additionalItems": false})", "[1, 2]") == "yyyyy");
    CHECK(fits(R"({"additionalItems": false})", "[1]") == "yyyyy");
    CHECK(fits(R"({"items": [{}], "unevaluatedItems": false})", "[1, 2]") == "yyyn!");
    CHECK(fits(R"({"items": [{}], "additionalItems": {}, "unevaluatedItems": false})", "[1, 2]") == "yyyy!");
    CHECK(fits(R"({"contains": {"type": "string"}, "unevaluatedItems": false})", R"(["a"])") == "yyyny");
}

TEST_CASE("exclusive bounds are flags in draft-04 and numbers later") {
    CHECK(fits(R"({"minimum": 1, "exclusiveMinimum": true})", "1") == "n!!!!");
    CHECK(fits(R"({"minimum": 1, "exclusiveMinimum": true})", "1.5") == "y!!!!");
    CHECK(fits(R"({"maximum": 1, "exclusiveMaximum": true})", "1") == "n!!!!");
    CHECK(fits(R"({"maximum": 1, "exclusiveMaximum": false})", "1") == "y!!!!");
    CHECK(fits(R"({"exclusiveMinimum": 1})", "1") == "!nnnn");
}

TEST_CASE("1.0 is an integer since draft-06, and a huge integer in each draft") {
    CHECK(fits(R"({"type": "integer"})", "1.0") == "nyyyy");
    CHECK(fits(R"({"type": "number"})", "1.0") == "yyyyy");
    CHECK(fits(R"({"type": "integer"})", "12345678910111213141516171819202122232425262728293031") == "yyyyy");
    CHECK(fits(R"({"type": "integer"})", "-12345678910111213141516171819202122232425262728293031") == "yyyyy");
    CHECK(fits(R"({"type": "string"})", "98249283749234923498293171823948729348710298301928331") == "nnnnn");
    CHECK(fits(R"({"maximum": 18446744073709551615})", "18446744073709551600") == "yyyyy");
    CHECK(fits(R"({"type": "integer", "multipleOf": 0.5})", "1e308").substr(1) == "yyyy");
    CHECK(fits(R"({"enum": [1]})", "1.0") == "yyyyy");
}

TEST_CASE("schemas are booleans since draft-06") {
    CHECK(fits("false", "1") == "!nnnn");
    CHECK(fits(R"({"properties": {"a": false}})", R"({"a": 1})") == "!nnnn");
    CHECK(fits(R"({"additionalProperties": false})", R"({"a": 1})") == "nnnnn");
}

TEST_CASE("members beside a $ref count since 2019-09") {
    CHECK(fits(R"({"definitions": {"a": {"type": "array"}}, "properties": {"x": {"$ref": "#/definitions/a", "maxItems": 1}}})",
               R"({"x": [1, 2]})") == "yyynn");
    CHECK(fits(R"({"definitions": {"a": {"type": "array"}}, "properties": {"x": {"$ref": "#/definitions/a", "maxItems": 1}}})",
               R"({"x": 1})") == "nnnnn");
    // Nor does an `$id` there change the base of the reference.
    CHECK(fits(R"({"$id": "http://example.com/base/", "allOf": [{"$id": "http://example.com/other/", "$ref": "foo.json"}],
                   "definitions": {"a": {"$id": "http://example.com/other/foo.json", "type": "string"},
                                   "b": {"$id": "foo.json", "type": "number"}}})",
               R"("a")") == "!nnyy");
    CHECK(fits(R"({"properties": {"$ref": {"type": "string"}}})", R"({"$ref": 1})") == "nnnnn");
}

TEST_CASE("draft-04 calls an $id id, and no other draft does") {
    constexpr const char* schema = R"({"id": "http://example.com/root", "allOf": [{"$ref": "child"}],
                                       "definitions": {"a": {"id": "child", "type": "null"}}})";
    CHECK(fits(schema, "1") == "n!!!!");
    constexpr const char* new_schema = R"({"$id": "http://example.com/root", "allOf": [{"$ref": "child"}],
                                           "definitions": {"a": {"$id": "child", "type": "null"}}})";
    CHECK(fits(new_schema, "1") == "!nnnn");
    CHECK(fits(R"({"properties": {"id": {"type": "string"}, "$id": {"type": "string"}}})", R"({"id": 1})") == "nnnnn");
}

TEST_CASE("the fragment of an $id is an anchor up to draft-07") {
    CHECK(fits(R"({"allOf": [{"$ref": "#foo"}], "definitions": {"a": {"$id": "#foo", "type": "null"}}})", "1") == "!nn!!");
    CHECK(fits(R"({"allOf": [{"$ref": "#foo"}], "definitions": {"a": {"id": "#foo", "type": "null"}}})", "1") == "n!!!!");
    CHECK(fits(R"({"allOf": [{"$ref": "#foo"}], "definitions": {"a": {"$anchor": "foo", "type": "null"}}})", "1") == "!!!nn");
    CHECK(fits(R"({"allOf": [{"$ref": "http://example.com/bar#foo"}],
                   "definitions": {"a": {"$id": "http://example.com/bar#foo", "type": "null"}}})",
               "1") == "!nn!!");
    CHECK(fits(R"({"$id": "http://example.com/root", "allOf": [{"$ref": "http://example.com/nested.json#foo"}],
                   "definitions": {"a": {"$id": "nested.json", "definitions": {"b": {"$id": "#foo", "type": "null"}}}}})",
               "1") == "!nn!!");
    // Generated schemas have ids like these everywhere.
    CHECK(fits(R"({"$id": "http://example.com/root", "properties": {"a": {"$id": "#/properties/a", "type": "null"},
                   "b": {"$id": "#/properties/a", "type": "null"}}})",
               R"({"b": 1})") == "nnn!!");
    CHECK(fits(R"({"properties": {"a": {"$id": "/x", "type": "null"}, "b": {"$id": "/x", "type": "null"}}})", R"({"b": 1})") == "nnn!!");
}

TEST_CASE("an $id in a constant or an unknown keyword identifies nothing") {
    constexpr const char* schema = R"({"definitions": {
        "in_enum": {"enum": [{"$id": "http://example.com/mine", "id": "http://example.com/mine", "type": "null"}]},
        "in_const": {"const": {"$id": "http://example.com/mine", "type": "null"}},
        "unknown": {"not": {"some": [{"$id": "http://example.com/mine", "type": "null"}]}},
        "real": {"$id": "http://example.com/mine", "type": "string"}}, "allOf": [{"$ref": "http://example.com/mine"}]})";
    CHECK(fits(schema, R"("a")") == "!yyyy");
    CHECK(fits(schema, "null") == "!nnnn");
}

TEST_CASE("references go through unknown keywords, escapes and URNs in each draft") {
    CHECK(fits(R"({"properties": {"a": {"$ref": "#/other/x"}}, "other": {"x": {"type": "null"}}})", R"({"a": 1})") == "nnnnn");
    CHECK(fits(R"({"$defs": {"x": {"type": "null"}}, "properties": {"a": {"$ref": "#/$defs/x"}}})", R"({"a": 1})") == "nnnnn");
    CHECK(fits(R"({"definitions": {"a~b/c%d\"": {"type": "null"}}, "allOf": [{"$ref": "#/definitions/a~0b~1c%25d%22"}]})", "1") == "nnnnn");
    CHECK(fits(R"({"definitions": {"": {"definitions": {"": {"type": "null"}}}}, "allOf": [{"$ref": "#/definitions//definitions/"}]})",
               "1") == "nnnnn");
    CHECK(
        fits(
            R"({"$id": "urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed", "allOf": [{"$ref": "urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed#/definitions/a"}],
                   "definitions": {"a": {"type": "null"}}})",
            "1") == "!nnnn");
    CHECK(fits(R"({"properties": {"child": {"$ref": "#"}}, "additionalProperties": false})", R"({"child": {"x": 1}})") == "nnnnn");
}

TEST_CASE("the meta-schema of each draft can be referred to") {
    for (const char* meta : drafts) {
        const std::string schema = std::string(R"({"properties": {"schema": {"$ref": ")") + meta + R"("}}})";
        CHECK(fits(schema, R"({"schema": {"type": "integer", "minLength": 2}})") == "yyyyy");
        CHECK(fits(schema, R"({"schema": {"minLength": -1}})") == "nnnnn");
        CHECK(fits(schema, R"({"schema": {"properties": {"a": {"type": "int"}}}})") == "nnnnn");
    }
    CHECK(fits(R"({"$ref": "https://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger"})", "-1") == "nnnnn");
    CHECK(fits(R"({"allOf": [{"$ref": "http://json-schema.org/draft-07/schema#"}, {"$ref": "https://json-schema.org/draft-07/schema"}]})",
               R"({"if": 1})") == "nnnnn");
    CHECK(fits(R"({"$ref": "http://json-schema.org/draft-06/schema#"})", R"({"if": 1})") == "yyyyy");
    CHECK(fits(R"({"$ref": "https://json-schema.org/draft/2019-09/meta/applicator"})", R"({"items": [1]})") == "nnnnn");
}

TEST_CASE("an invalid schema is found by the meta-schema of its draft") {
    CHECK(fits(R"({"required": []})", "{}") == "!yyyy");
    CHECK(fits(R"({"enum": [1, 1]})", "1") == "!!yyy");
    CHECK(fits(R"({"dependentRequired": 1})", "{}") == "yyy!!");
    CHECK(fits(R"({"items": []})", "[]") == "!!!!!");
    CHECK(fits(R"({"type": "any"})", "1") == "!!!!!");
    CHECK(fits(R"({"definitions": {"a": {"minLength": "1"}}})", "1") == "!!!!!");
}

TEST_CASE("a resource inside a schema may have a dialect of its own") {
    CHECK_FALSE(fits_declared(R"({"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"old": {
        "id": "http://example.com/old", "$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}},
        "properties": {"x": {"$ref": "http://example.com/old"}}})",
                              R"({"x": 1})"));
    CHECK_FALSE(fits_declared(R"({"$id": "http://example.com/new", "allOf": [{"$ref": "old"}],
        "$defs": {"old": {"$id": "old", "$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}]}}})",
                              "[1]"));
    CHECK(fits_declared(R"({"$schema": "http://json-schema.org/draft-07/schema#", "definitions": {"new": {"$id": "http://example.com/new",
        "$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [{"type": "integer"}], "$defs": {"a": true}}},
        "items": [{"$ref": "http://example.com/new"}]})",
                        "[[1]]"));
    const ai::json broken = support::parsed(R"({"$id": "http://example.com/new", "$defs": {"old": {"id": "old",
        "$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMinimum": 1}}})");
    CHECK_FALSE(ai::compile_schema(broken));
}

TEST_CASE("a document has its own dialect, or that of the schema that refers to it") {
    ai::schema_options options;
    options.documents["http://example.com/tuple"] = support::parsed(R"({"items": [{"type": "null"}]})");
    options.documents["http://example.com/2019"] = support::parsed(
        R"({"$schema": "https://json-schema.org/draft/2019-09/schema", "dependentRequired": {"a": ["b"]}, "prefixItems": [false]})");
    CHECK(fits(R"({"$ref": "http://example.com/tuple"})", "[1]", options) == "nnnn!");
    CHECK(fits(R"({"$ref": "http://example.com/2019"})", R"({"a": 1})", options) == "nnnnn");
    CHECK(fits(R"({"$ref": "http://example.com/2019"})", "[1]", options) == "yyyyy");
    // A meta-schema of somebody's own has the draft of its `$schema`.
    options.documents["http://example.com/meta"] =
        support::parsed(R"({"$schema": "http://json-schema.org/draft-07/schema#", "required": ["title"]})");
    CHECK_FALSE(fits_declared(R"({"$schema": "http://example.com/meta", "title": "", "items": [{"type": "null"}]})", "[1]", options));
    CHECK_FALSE(ai::compile_schema(support::parsed(R"({"$schema": "http://example.com/meta"})"), options));
    options.documents["http://example.com/loose"] = support::parsed(R"({"$schema": "https://json-schema.org/draft/2019-09/schema",
        "$vocabulary": {"https://json-schema.org/draft/2019-09/vocab/core": true, "https://json-schema.org/draft/2019-09/vocab/applicator": true}})");
    CHECK(fits_declared(R"({"$schema": "http://example.com/loose", "properties": {"a": {"minimum": 5}}})", R"({"a": 1})", options));
    CHECK_FALSE(fits_declared(R"({"$schema": "http://example.com/loose", "unevaluatedProperties": false})", R"({"a": 1})", options));
}

TEST_CASE("a recursive reference leads to the outermost schema with a recursive anchor") {
    const auto extended = [](const char* outer, const char* inner) {
        return std::string(R"({"$schema": "https://json-schema.org/draft/2019-09/schema", "$id": "http://example.com/strict", )") + outer +
               R"("$ref": "http://example.com/tree", "unevaluatedProperties": false, "$defs": {"tree": {"$id": "http://example.com/tree", )" +
               inner + R"("properties": {"data": true, "children": {"items": {"$recursiveRef": "#"}}}}}})";
    };
    constexpr const char* anchor = R"("$recursiveAnchor": true, )";
    constexpr const char* misspelt = R"({"children": [{"daat": 1}]})";
    CHECK_FALSE(fits_declared(extended(anchor, anchor), misspelt));
    CHECK(fits_declared(extended(anchor, anchor), R"({"children": [{"data": 1}]})"));
    CHECK(fits_declared(extended("", anchor), misspelt));
    CHECK(fits_declared(extended(anchor, ""), misspelt));
    CHECK(fits_declared(extended(anchor, R"("$recursiveAnchor": false, )"), misspelt));
    CHECK(fits(R"({"properties": {"a": {"$recursiveRef": "#"}}, "additionalProperties": false})", R"({"a": {"b": 1}})") == "yyyny");
}

TEST_CASE("a dynamic reference is one only in 2020-12") {
    constexpr const char* schema = R"({"$id": "http://example.com/strings", "$ref": "list", "$defs": {
        "item": {"$dynamicAnchor": "item", "type": "string"},
        "list": {"$id": "list", "items": {"$dynamicRef": "#item"}, "$defs": {"item": {"$dynamicAnchor": "item"}}}}})";
    CHECK(fits(schema, "[1]").substr(3) == "yn");
}

TEST_CASE("patterns are those of ECMA-262 in each draft") {
    CHECK(fits(R"({"pattern": "^\\d$"})", R"("\u09ea")") == "nnnnn");
    CHECK(fits(R"({"pattern": "^\\p{Letter}+$"})", R"("\u00e9cole")") == "yyyyy");
    CHECK(fits(R"({"pattern": "^\\p{digit}+$"})", R"("\u09ea\u09e8")") == "yyyyy");
    CHECK(fits(R"({"pattern": "^\ud83d\udc32*$"})", R"("\ud83d\udc32\ud83d\udc32")") == "yyyyy");
    CHECK(fits(R"({"pattern": "^\\cC$"})", R"("\u0003")") == "yyyyy");
    CHECK(fits(R"({"patternProperties": {"\\p{Letter}cole": {"type": "null"}}})", R"({"l'\u00e9cole": 1})") == "nnnnn");
}

}  // namespace validate_dialects_tests
