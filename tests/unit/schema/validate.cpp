#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <string>
#include <thread>

namespace ai = pyaichat;

namespace {

ai::compiled_schema compiled(std::string_view schema, const ai::schema_options& options = {}) {
    ai::result<ai::compiled_schema> made = ai::compile_schema(support::parsed(schema), options);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return *made;
}

std::string refusal(std::string_view schema, const ai::schema_options& options = {}) {
    const ai::result<ai::compiled_schema> made = ai::compile_schema(support::parsed(schema), options);
    REQUIRE_FALSE(made);
    CHECK_FALSE(made.error().hint.empty());
    return made.error().message;
}

bool fits(std::string_view schema, std::string_view value, const ai::schema_options& options = {}) {
    return ai::validate(compiled(schema, options), support::parsed(value)).empty();
}

bool has(const std::string& text, std::string_view part) {
    INFO(text);
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a schema is compiled once and applied to many values") {
    // [validate]
    const ai::json schema = {{"type", "object"},
                             {"properties", {{"city", {{"type", "string"}}}, {"units", {{"enum", {"metric", "imperial"}}}}}},
                             {"required", {"city"}}};
    const ai::result<ai::compiled_schema> weather = ai::compile_schema(schema);
    REQUIRE(weather);

    CHECK(ai::validate(*weather, {{"city", "Oslo"}, {"units", "metric"}}).empty());

    const std::vector<ai::schema_error> errors = ai::validate(*weather, {{"city", "Oslo"}, {"units", "kelvin"}});
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].path == "/units");
    CHECK(errors[0].keyword == "enum");
    CHECK(errors[0].message == R"(must be one of "metric", "imperial")");
    // [/validate]
}

TEST_CASE("a compiled schema outlives what it was compiled from and serves several threads") {
    const ai::compiled_schema schema = [] {
        ai::schema_options options;
        options.documents["https://example.com/name"] =
            support::parsed(R"({"$id": "https://example.com/name", "type": "string", "minLength": 2})");
        return compiled(R"({"properties": {"name": {"$ref": "https://example.com/name"}}})", options);
    }();
    const ai::compiled_schema copy = schema;
    std::size_t wrong = 0;
    std::thread other([&] { wrong = ai::validate(copy, support::parsed(R"({"name": "x"})")).size(); });
    const bool right = ai::validate(schema, support::parsed(R"({"name": "xy"})")).empty();
    other.join();
    CHECK(wrong == 1);
    CHECK(right);
}

TEST_CASE("a mistake in a schema is found when it is compiled, with its path") {
    CHECK(has(refusal(R"({"properties": {"a": {"type": "strng"}}})"), R"(#/properties/a/type: must be one of "array", "boolean")"));
    CHECK(has(refusal(R"({"required": "a"})"), "#/required: must be an array, not string"));
    CHECK(has(refusal(R"({"items": {"minLength": -1}})"), "#/items/minLength: must be at least 0, not -1"));
    CHECK(has(refusal("[]"), "must be true or false or an object, not array"));
    CHECK(has(refusal(R"({"$defs": {"unused": {"type": 1}}})"), "#/$defs/unused/type"));
}

TEST_CASE("without the meta-schema, mistakes that matter are still refused") {
    const ai::schema_options trusting{.check = false};
    CHECK(has(refusal(R"({"properties": {"a/b": {"type": "strng"}}})", trusting), "#/properties/a~1b/type: must be the name of a type"));
    CHECK(has(refusal(R"({"required": [1]})", trusting), "#/required: must be an array of strings"));
    CHECK(has(refusal(R"({"maxLength": "1"})", trusting), "#/maxLength: must be a whole number"));
    CHECK(has(refusal(R"({"multipleOf": 0})", trusting), "#/multipleOf: must be more than 0"));
    CHECK(has(refusal(R"({"minimum": "1"})", trusting), "#/minimum: must be a number"));
    CHECK(has(refusal(R"({"items": 1})", trusting), "#/items: must be an object or boolean"));
    CHECK(has(refusal(R"({"allOf": {}})", trusting), "#/allOf: must be an array of schemas"));
    CHECK(has(refusal(R"({"properties": []})", trusting), "#/properties: must be an object of schemas"));
    CHECK(has(refusal(R"({"enum": 1})", trusting), "#/enum: must be an array"));
    CHECK(has(refusal(R"({"$ref": 1})", trusting), "#/$ref: must be a string"));
}

TEST_CASE("a reference to nothing is named") {
    CHECK(has(refusal(R"({"properties": {"a": {"$ref": "#/$defs/b"}}})"), R"(#/properties/a/$ref: there is nothing at "#/$defs/b")"));
    CHECK(has(refusal(R"({"$ref": "https://example.com/x#y"})"), R"(#/$ref: there is no schema at "https://example.com/x")"));
    CHECK(has(refusal(R"({"$ref": "#y"})"), R"(there is no anchor "y")"));
    CHECK(has(refusal(R"({"$ref": "#/required", "required": ["a"]})"), R"(the value at "#/required" is not a schema)"));
    CHECK(has(refusal(R"({"$ref": "#/allOf/01", "allOf": [true, true]})"), "there is nothing"));
    CHECK(ai::compile_schema(support::parsed(R"({"$ref": "#/$defs/b"})")).error().code == ai::errc::not_found);
}

TEST_CASE("references that never reach a value are refused, those that descend are not") {
    CHECK(has(refusal(R"({"$ref": "#"})"), "lead back to itself"));
    CHECK(has(refusal(R"({"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"allOf": [true, {"$ref": "#/$defs/a"}]}}})"), "lead back to itself"));
    CHECK(fits(R"({"properties": {"next": {"$ref": "#"}}})", R"({"next": {"next": {}}})"));
    CHECK_FALSE(fits(R"({"type": "object", "additionalProperties": {"$ref": "#"}})", R"({"next": {"next": 1}})"));
}

TEST_CASE("documents come from the options and are checked too, and nothing is fetched") {
    ai::schema_options options;
    options.documents["https://example.com/folder/point.json"] =
        support::parsed(R"({"type": "array", "items": {"$ref": "number.json#/$defs/finite"}})");
    options.documents["https://example.com/folder/number.json"] = support::parsed(R"({"$defs": {"finite": {"type": "number"}}})");
    CHECK(fits(R"({"$ref": "https://example.com/folder/point.json"})", "[1, 2.5]", options));
    CHECK_FALSE(fits(R"({"$ref": "https://example.com/folder/point.json"})", R"(["1"])", options));

    options.base_uri = "https://example.com/folder/mine";
    CHECK_FALSE(fits(R"({"$ref": "point.json"})", R"(["1"])", options));

    options.documents["https://example.com/folder/number.json"] = support::parsed(R"({"$defs": {"finite": {"type": "nombre"}}})");
    CHECK(has(refusal(R"({"$ref": "point.json"})", options), "https://example.com/folder/number.json#/$defs/finite/type: must be one of"));
}

TEST_CASE("an unknown dialect is read as the newest one and reported, or refused on demand") {
    CHECK(fits(R"({"$schema": "https://json-schema.org/draft/2020-12/schema#", "type": "null"})", "null"));
    CHECK(has(refusal(R"({"$schema": "https://example.com/dialect#"})", {.strict_dialect = true}),
              R"("$schema" is "https://example.com/dialect")"));
    const ai::compiled_schema unknown = compiled(R"({"$schema": "https://example.com/dialect#", "prefixItems": [{"type": "null"}]})");
    REQUIRE(unknown.remarks().size() == 1);
    CHECK(has(unknown.remarks().front(), R"(the dialect "https://example.com/dialect" is not known)"));
    CHECK_FALSE(ai::validate(unknown, support::parsed("[1]")).empty());
    CHECK(compiled("{}").remarks().empty());
    ai::schema_options options;
    options.documents["https://example.com/meta"] = support::parsed(R"({"$vocabulary": {"https://example.com/vocabulary": true}})");
    CHECK(
        has(refusal(R"({"$schema": "https://example.com/meta"})", options), R"(requires the vocabulary "https://example.com/vocabulary")"));
    options.documents["https://example.com/meta"] = support::parsed(R"({"required": ["title"]})");
    CHECK(has(refusal(R"({"$schema": "https://example.com/meta"})", options), R"(must have the member "title")"));
    CHECK(fits(R"({"$schema": "https://example.com/meta", "title": ""})", "1", options));
}

TEST_CASE("two schemas may not claim one identity") {
    CHECK(has(refusal(R"({"$defs": {"a": {"$id": "https://example.com/x"}, "b": {"$id": "https://example.com/x"}}})"),
              "two schemas have the"));
    CHECK(has(refusal(R"({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}})"), "two schemas have the anchor"));
}

TEST_CASE("unknown keywords say nothing, and format is an annotation unless it is switched on") {
    CHECK(fits(R"({"x-order": 3, "format": "date", "exmaple": []})", R"("no date")"));
    CHECK_FALSE(fits(R"({"format": "date"})", R"("no date")", {.formats = true}));
    CHECK(fits(R"({"format": "phone number"})", R"("no number")", {.formats = true}));
    CHECK(fits(R"({"format": "date"})", "1", {.formats = true}));
}

TEST_CASE("formats are checked to the letter") {
    const auto is = [](const char* format, const char* text) {
        const ai::json schema = {{"format", format}};
        return ai::validate(*ai::compile_schema(schema, {.formats = true}), ai::json(text)).empty();
    };
    for (const auto& [format, right] : std::vector<std::pair<const char*, const char*>>{{"date", "2024-02-29"},
                                                                                        {"date", "2000-02-29"},
                                                                                        {"time", "23:59:60Z"},
                                                                                        {"time", "01:29:60.5+01:30"},
                                                                                        {"time", "09:30:00z"},
                                                                                        {"date-time", "2024-02-29T09:30:00.25-08:00"},
                                                                                        {"ipv4", "0.10.255.1"},
                                                                                        {"ipv6", "::"},
                                                                                        {"ipv6", "2001:db8::1"},
                                                                                        {"ipv6", "1:2:3:4:5:6:7:8"},
                                                                                        {"ipv6", "1::"},
                                                                                        {"ipv6", "::ffff:192.0.2.1"},
                                                                                        {"ipv6", "1:2:3:4:5:6:1.2.3.4"},
                                                                                        {"json-pointer", ""},
                                                                                        {"json-pointer", "/a~0/~1b//"},
                                                                                        {"regex", "^a(?=b)"},
                                                                                        {"uuid", "123E4567-e89b-12d3-a456-426614174000"}}) {
        INFO(format << " " << right);
        CHECK(is(format, right));
    }
    for (const auto& [format, wrong] : std::vector<std::pair<const char*, const char*>>{{"date", "2023-02-29"},
                                                                                        {"date", "1900-02-29"},
                                                                                        {"date", "2024-13-01"},
                                                                                        {"date", "2024-1-01"},
                                                                                        {"date", "2024-01-01x"},
                                                                                        {"date", "2024-00-01"},
                                                                                        {"time", "09:30:00"},
                                                                                        {"time", "24:00:00Z"},
                                                                                        {"time", "12:00:60Z"},
                                                                                        {"time", "09:30:00.Z"},
                                                                                        {"time", "09:30:00+24:00"},
                                                                                        {"time", "09:30Z"},
                                                                                        {"date-time", "2024-02-29"},
                                                                                        {"ipv4", "1.2.3"},
                                                                                        {"ipv4", "01.2.3.4"},
                                                                                        {"ipv4", "1.2.3.256"},
                                                                                        {"ipv4", "1.2.3.4."},
                                                                                        {"ipv6", "1::2::3"},
                                                                                        {"ipv6", ":::"},
                                                                                        {"ipv6", "1:2:3:4:5:6:7"},
                                                                                        {"ipv6", "1:2:3:4:5:6:7:8:9"},
                                                                                        {"ipv6", "1:"},
                                                                                        {"ipv6", ":1"},
                                                                                        {"ipv6", "12345::"},
                                                                                        {"ipv6", "1:2:3:4:5:6:7:1.2.3.4"},
                                                                                        {"ipv6", "1:2:3:4:5:6:7::8"},
                                                                                        {"json-pointer", "a"},
                                                                                        {"json-pointer", "/~2"},
                                                                                        {"json-pointer", "/~"},
                                                                                        {"regex", "("},
                                                                                        {"uuid", "123e4567e89b12d3a456426614174000"},
                                                                                        {"uuid", ""}}) {
        INFO(format << " " << wrong);
        CHECK_FALSE(is(format, wrong));
    }
}

TEST_CASE("$ref goes by URI, anchor and pointer, with escapes") {
    CHECK_FALSE(fits(R"({"$ref": "#/$defs/a~1b%20c%25", "$defs": {"a/b c%": {"type": "null"}}})", "1"));
    CHECK_FALSE(fits(R"({"$id": "https://example.com/a/b", "$ref": "../c", "$defs": {"x": {"$id": "/c", "type": "null"}}})", "1"));
    CHECK_FALSE(fits(R"({"$id": "https://example.com", "$ref": "c?d", "$defs": {"x": {"$id": "/./c?d", "type": "null"}}})", "1"));
    CHECK_FALSE(fits(
        R"({"$id": "https://example.com/a", "$ref": "//example.org/b", "$defs": {"x": {"$id": "https://example.org/b", "type": "null"}}})",
        "1"));
    CHECK_FALSE(fits(
        R"({"$ref": "#/x-other/deep", "x-other": {"deep": {"$ref": "#here"}}, "$defs": {"a": {"$anchor": "here", "type": "null"}}})", "1"));
}
