#include "lua/manifest/schema_slips.hpp"

#include "lua_bench.hpp"

using namespace lua_bench;
using pyaichat::lua::detail::find_schema_slip;
using pyaichat::lua::detail::schema_slip;

namespace {

std::optional<schema_slip> slip_in(const char* schema) {
    const ai::result<ai::json> read = ai::parse_json(schema);
    REQUIRE(read);
    return find_schema_slip(*read, "parameters");
}

}  // namespace

TEST_CASE("a keyword with a slip is told with its place and what it may have been meant to be") {
    struct sample {
        const char* schema;
        const char* path;
        const char* meant;
    };
    const sample samples[] = {
        {R"({"propertys":{}})", "parameters.propertys", "`properties`"},
        {R"({"typ":"object"})", "parameters.typ", "`type`"},
        {R"({"tpye":"object"})", "parameters.tpye", "`type`"},
        {R"({"properties":{"n":{"minimun":1}}})", "parameters.properties.n.minimun", "`minimum`"},
        {R"({"properties":{"n":{"discription":"x"}}})", "parameters.properties.n.discription", "`description`"},
        {R"({"anyOf":[{},{"minlength":1}]})", "parameters.anyOf[2].minlength", "`minLength`"},
        {R"({"items":{"enums":[1]}})", "parameters.items.enums", "`enum`"},
        {R"({"$defs":{"a":{"ref":"x"}}})", "parameters.$defs.a.ref", "`$ref`"},
        {R"({"dependentSchemas":{"a":{"requird":[]}}})", "parameters.dependentSchemas.a.requird", "`required`"},
        {R"({"additional_properties":false})", "parameters.additional_properties", "`additionalProperties`"},
        {R"({"properties":{"minutes":{}},"required":["minuts"]})", "parameters.required", "`minutes`"},
        {R"({"not":{"properties":{"name":{}},"required":["name","nmae"]}})", "parameters.not.required", "`name`"},
    };
    for (const sample& one : samples) {
        INFO(one.schema);
        const std::optional<schema_slip> slip = slip_in(one.schema);
        REQUIRE(slip);
        CHECK(slip->path == one.path);
        CHECK(slip->what.find(one.path) == 0);
        CHECK(slip->change == std::string("Did you mean ") + one.meant + "?");
    }
}

TEST_CASE("words that are no slips, and names and data of the author's, pass") {
    for (const char* schema : {
             R"({"x-foo":1,"example":1,"comment":"x","note":"x","nullable":true,"propertyOrdering":[],"unit":"m","id":"x","cost":1})",
             R"({"definitions":{"typ":{}},"dependencies":{},"additionalItems":false})",
             R"({"properties":{"typ":{"type":"string"},"propertys":{},"minimun":{}}})",
             R"({"patternProperties":{"typ":{}},"$defs":{"typ":{}},"dependentSchemas":{"typ":{}},"dependentRequired":{"typ":["nme"]}})",
             R"({"const":{"typ":1},"default":{"propertys":1},"enum":[{"typ":1}],"examples":[{"minimun":1}]})",
             R"({"x-more":{"typ":1}})",
             R"({"required":["nmae"]})",
             R"({"properties":{"name":{}},"required":["colour","name"]})",
             R"({"properties":{"x":{},"id":{}},"required":["y","ids"]})",
             R"({"properties":true,"required":"name","items":false,"anyOf":{"typ":1}})",
             "true",
             "null",
         }) {
        INFO(schema);
        CHECK_FALSE(slip_in(schema));
    }
}

TEST_CASE("a plugin with a slip in a schema is not loaded") {
    lua::plugins plugins({.sandbox = patient()});
    const auto refused = [&](const std::string& schemas) {
        const ai::result<void> added = plugins.add_text("a.lua", capability("lamp", "return 1", "", schemas));
        REQUIRE_FALSE(added);
        return added.error();
    };
    const ai::failure slip = refused("parameters = { type = 'object',\n propertys = { id = { type = 'string' } } },");
    CHECK(slip.message == "a.lua:3: capabilities[1].parameters.propertys: `propertys` is not a keyword of JSON Schema");
    CHECK(slip.hint == "Did you mean `properties`?");
    CHECK(refused("parameters = { typ = 'object' },").hint == "Did you mean `type`?");
    CHECK(refused("returns = { type = 'object', properties = { lit = {\n typ = 'boolean' } } },").message.find("a.lua:3: ") == 0);
    CHECK(plugins.add_text("a.lua",
                           capability("lamp", "return 1", "",
                                      "parameters = { type = 'object', properties = { typ = { type = 'string', example = 'x' } } },")));
}

TEST_CASE("a schema that is wrong is told once, and one that is too large with its limits") {
    lua::plugins plugins({.sandbox = patient()});
    const ai::result<void> wrong =
        plugins.add_text("a.lua", capability("lamp", "return 1", "", "parameters = { type = 'object', minProperties = 'x' },"));
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error().message.find("#/minProperties: must be") != std::string::npos);
    CHECK(wrong.error().hint == "Fix the schema at this place.");

    const ai::result<void> large =
        plugins.add_text("a.lua", capability("lamp", "return 1", "local e = {} for i = 1, 6000 do e[i] = i end",
                                             "parameters = { type = 'object', properties = { a = { enum = e } } },\n"
                                             "returns = { type = 'object', properties = { a = { enum = e } } },"));
    REQUIRE_FALSE(large);
    CHECK(large.error().message ==
          "a.lua:3: the schemas of this file are too large: together they may have 10000 members and 262144 bytes of text, in 32 levels");
    CHECK(large.error().hint == "Declare simpler schemas, or split the plugin.");
}
