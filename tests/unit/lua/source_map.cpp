#include "lua/manifest/source_map.hpp"

#include "catch.hpp"

using pyaichat::lua::detail::source_map;

TEST_CASE("fields of a manifest are found in its text") {
    const source_map lines(
        "-- return { name = 'comment' }\n"              // 1
        "local x = [[ return {\n"                       // 2
        "  name = 'text' } ]]\n"                        // 3
        "local function f() return { name = 1 } end\n"  // 4
        "return {\n"                                    // 5
        "  name = 'a', api = 1,\n"                      // 6
        "  ['version'] = \"}\\\"\",\n"                  // 7
        "  capabilities = {\n"                          // 8
        "    { name = 'x', run = function(a)\n"         // 9
        "        if a then return { 1 } end\n"          // 10
        "      end, description = 'y' };\n"             // 11
        "    --[==[ { ]] ]==] {\n"                      // 12
        "      parameters = { type = 'object',\n"       // 13
        "        properties = { id = { enum = { 1,\n"   // 14
        "          2 } } } } } },\n"                    // 15
        "}\n\n");
    CHECK(lines.line_of("") == 5);
    CHECK(lines.line_of("name") == 6);
    CHECK(lines.line_of("api") == 6);
    CHECK(lines.line_of("version") == 7);
    CHECK(lines.line_of("capabilities[1]") == 9);
    CHECK(lines.line_of("capabilities[1].run") == 9);
    CHECK(lines.line_of("capabilities[1].description") == 11);
    CHECK(lines.line_of("capabilities[2].parameters.type") == 13);
    CHECK(lines.line_of("capabilities[2].parameters.properties.id.enum[2]") == 15);
    CHECK(lines.line_of("capabilities[2].parameters.required") == 13);  // not there: the nearest
    CHECK(lines.line_of("capabilities[3].name") == 8);
    CHECK(lines.last_line() == 16);
}

TEST_CASE("a manifest that is returned by name is found where it is made") {
    const source_map lines("local m = {\n  name = 'a',\n}\nm.x = 1\nreturn m\n");
    CHECK(lines.line_of("name") == 2);
    CHECK(lines.line_of("x") == 5);
}

TEST_CASE("text that is no manifest has a last line, and nothing breaks") {
    CHECK(source_map("").line_of("name") == 1);
    CHECK(source_map("a\nb\n\n\n").line_of("name") == 2);
    for (const char* odd :
         {"return {", "return { {", "return { a = ", "return { [", "return { ['x'", "return { 'x", "return [[", "--[[",
          "return { a = function", "return {}}}}", "return", "return x", "return { , , }", "'\\", "return { ['a'] = [==[ }"}) {
        CHECK(source_map(odd).line_of("a.b[1]") == 1);
    }
    CHECK(source_map("return " + std::string(100'000, '{')).line_of("a") == 1);
}
