#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <string>

namespace ai = pyaichat;

namespace {

ai::compiled_schema compiled(const ai::json& schema, const ai::schema_options& options = {}) {
    const ai::result<ai::compiled_schema> made = ai::compile_schema(schema, options);
    INFO((made ? "" : made.error().message));
    REQUIRE(made);
    return *made;
}

/// `inner` inside of `levels` times `{"key": ...}`, or `[...]`.
ai::json nested(const char* open, const char* close, int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) {
        text += open;
    }
    text += "1";
    for (int i = 0; i < levels; ++i) {
        text += close;
    }
    return support::parsed(text, 1'000'000);
}

std::string only_keyword(const ai::compiled_schema& schema, const ai::json& value) {
    const std::vector<ai::schema_error> errors = ai::validate(schema, value);
    return errors.size() == 1 ? errors[0].keyword : std::to_string(errors.size()) + " errors";
}

/// A hundred levels, in each of which both branches lead to the next: 2^100 ways for what looks at all of them.
ai::json tree_of_references(const char* keyword) {
    ai::json definitions = ai::json::object();
    for (int i = 0; i < 100; ++i) {
        const std::string next = "#/$defs/" + std::to_string(i + 1);
        definitions[std::to_string(i)][keyword] = ai::json::array({{{"$ref", next}}, {{"$ref", next}}});
    }
    definitions["100"]["type"] = "null";
    return {{"$defs", definitions}, {"$ref", "#/$defs/0"}};
}

}  // namespace

TEST_CASE("a schema that nests too deep is refused, and so is a value") {
    const ai::json deep = nested(R"({"allOf":[)", "]}", 100'000);
    const auto refused = ai::compile_schema(deep);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ai::errc::too_large);
    ai::schema_options options;
    options.check = false;
    CHECK_FALSE(ai::compile_schema(deep, options));
    CHECK(only_keyword(compiled(true), nested("[", "]", 100'000)) == "limit");
    CHECK(only_keyword(compiled({{"items", {{"$ref", "#"}}}, {"type", "array"}}), nested("[", "]", 127)) == "type");
    CHECK(ai::validate(compiled({{"items", {{"$ref", "#"}}}}), nested("[", "]", 128)).empty());
}

TEST_CASE("ways through a schema that multiply end in an error") {
    for (const char* keyword : {"anyOf", "oneOf", "allOf"}) {
        INFO(keyword);
        ai::schema_options options;
        options.max_steps = 200'000;
        const ai::compiled_schema schema = compiled(tree_of_references(keyword), options);
        CHECK(only_keyword(schema, 1) == (keyword == std::string("allOf") ? "type" : "limit"));
        CHECK(only_keyword(schema, nullptr) == (keyword == std::string("anyOf") ? "0 errors" : "limit"));
    }
}

TEST_CASE("a reference that leads back to itself by another way ends in an error") {
    CHECK(only_keyword(compiled({{"anyOf", {{{"type", "null"}}, {{"$ref", "#"}}}}}), 1) == "limit");
    CHECK(ai::validate(compiled({{"anyOf", {{{"type", "null"}}, {{"$ref", "#"}}}}}), nullptr).empty());
    CHECK(only_keyword(compiled({{"not", {{"$ref", "#"}}}}), 1) == "limit");
    CHECK(only_keyword(compiled({{"if", {{"$ref", "#"}}}, {"then", true}}), 1) == "limit");
    CHECK(only_keyword(compiled({{"oneOf", {{{"$ref", "#"}}}}}), 1) == "limit");
    CHECK(only_keyword(compiled({{"dependentSchemas", {{"a", {{"$ref", "#"}}}}}}), {{"a", 1}}) == "limit");
    CHECK(only_keyword(compiled({{"$dynamicAnchor", "x"}, {"$dynamicRef", "#x"}}), 1) == "limit");
    CHECK(only_keyword(compiled({{"unevaluatedProperties", false}, {"anyOf", {{{"$ref", "#"}}}}}), {{"a", 1}}) == "limit");
}

TEST_CASE("the deepest chain of references that ends is followed, a longer one is not") {
    const auto chain = [](int length) {
        ai::json definitions = ai::json::object();
        for (int i = 0; i < length; ++i) {
            definitions[std::to_string(i)]["$ref"] = "#/$defs/" + std::to_string(i + 1);
        }
        definitions[std::to_string(length)]["type"] = "null";
        return compiled({{"$defs", definitions}, {"$ref", "#/$defs/0"}});
    };
    CHECK(only_keyword(chain(500), 1) == "type");
    CHECK(ai::validate(chain(500), nullptr).empty());
    CHECK(only_keyword(chain(5000), nullptr) == "limit");
}

TEST_CASE("a budget that is used up is said, not passed over") {
    ai::schema_options options;
    options.max_steps = 100;
    const ai::json value(std::vector<int>(200, 1));
    CHECK(only_keyword(compiled({{"items", {{"type", "integer"}}}}, options), value) == "limit");
    CHECK(only_keyword(compiled({{"uniqueItems", true}}, options), value) == "limit");
    CHECK(only_keyword(compiled({{"contains", {{"type", "null"}}}}, options), value) == "limit");
    CHECK(only_keyword(compiled({{"not", {{"items", {{"type", "integer"}}}}}}, options), value) == "limit");
    CHECK(only_keyword(compiled({{"const", ai::json::array({value})}}, options), ai::json::array({value})) == "limit");
    CHECK(only_keyword(compiled({{"maxLength", 100'000}}, options), std::string(10'000, 'x')) == "limit");
    CHECK(only_keyword(compiled({{"format", "date"}}, {.formats = true, .max_steps = 100}), std::string(10'000, 'x')) == "limit");
    CHECK(ai::validate(compiled({{"items", {{"type", "integer"}}}}), value).empty());
}

TEST_CASE("large enums and arrays take no quadratic time") {
    ai::json names = ai::json::array();
    for (int i = 0; i < 20'000; ++i) {
        names.push_back("name " + std::to_string(i));
    }
    const ai::compiled_schema schema = compiled({{"items", {{"enum", names}}}, {"uniqueItems", true}, {"unevaluatedItems", false}});
    CHECK(ai::validate(schema, names).empty());
    ai::json twice = names;
    twice.push_back("name 77");
    CHECK(only_keyword(schema, twice) == "uniqueItems");

    ai::json members = ai::json::object();
    ai::json properties = ai::json::object();
    for (const ai::json& name : names) {
        members[std::string(*ai::as_string(name))] = 1;
        properties[std::string(*ai::as_string(name))] = {{"type", "integer"}};
    }
    const ai::compiled_schema object =
        compiled({{"allOf", {{{"properties", properties}}}}, {"required", names}, {"unevaluatedProperties", false}});
    CHECK(ai::validate(object, members).empty());
    members["one more"] = 1;
    CHECK(only_keyword(object, members) == "unevaluatedProperties");
}

TEST_CASE("a wide schema with many references compiles in a time that grows with its size") {
    ai::json properties = ai::json::object();
    for (int i = 0; i < 20'000; ++i) {
        properties[std::to_string(i)] = {{"$ref", "#/$defs/x"}};
    }
    const ai::compiled_schema schema = compiled({{"$defs", {{"x", {{"type", "null"}}}}}, {"properties", properties}});
    CHECK(only_keyword(schema, {{"777", 1}}) == "type");
}

TEST_CASE("telling what is wrong is work as well: long paths and many branches do not make it endless") {
    ai::json either = ai::json::object();
    either["anyOf"] = ai::json::array();
    for (const char* name : {"x", "y", "z"}) {
        ai::json branch = ai::json::object();
        branch["properties"][std::string(2000, 'k')]["$ref"] = "#";
        branch["required"] = ai::json::array({name});
        either["anyOf"].push_back(branch);
    }
    ai::json value = ai::json::object();
    for (int level = 0; level < 25; ++level) {
        value = {{std::string(2000, 'k'), value}};
    }
    const std::vector<ai::schema_error> errors = ai::validate(compiled(either, {.max_steps = 100'000}), value);
    REQUIRE_FALSE(errors.empty());
    CHECK(errors.size() <= ai::max_schema_errors);
}

TEST_CASE("patterns that are short to write and large to compile are bounded together") {
    ai::json schema = ai::json::object();
    for (int i = 0; i < 200; ++i) {
        schema["properties"]["p" + std::to_string(i)]["pattern"] = "((ab){0,30}){0,30}";
    }
    const auto refused = ai::compile_schema(schema);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find("too large together") != std::string::npos);
}
