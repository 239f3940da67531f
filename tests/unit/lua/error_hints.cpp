#include "lua/manifest/error_hints.hpp"

#include "lua_bench.hpp"

using namespace lua_bench;

namespace {

struct slip {
    const char* text;
    const char* where;
    const char* change;  // a part of it
};

/// What is told of a file that cannot be loaded.
ai::failure refusal_of(const std::string& text) {
    lua::plugins plugins({.sandbox = patient()});
    const ai::result<void> added = plugins.add_text("a.lua", text);
    INFO(text);
    REQUIRE_FALSE(added);
    return added.error();
}

}  // namespace

TEST_CASE("mistakes of syntax are told in their own line, with a change that is right") {
    const slip slips[] = {
        {"local x\ngoto away\nlocal y\n\n", "a.lua:2: ", "Write the label"},
        {"for i = 1, 2 do\n  goto continue\nend", "a.lua:2: ", "Write the label"},
        {"goto l\nlocal a = 1\n::l::\nreturn a", "a.lua:1: <goto l> jumps into the scope of local 'a'",
         "Declare the local variable before"},
        {"return {\n  a = 1\n  overflow = 2 }", "a.lua:3: ", "Put a comma between the fields: before 'overflow'"},
        {"local x\nbreak\n\nlocal y\n", "a.lua:2: ", "into a loop"},
        {"local x <const> = 1\nx = 2", "a.lua:2: ", "`<const>`"},
        {"::a::\n::a::", "a.lua:2: ", "Rename one of the two labels"},
        {"local x <final> = 1", "a.lua:1: ", "`<const>`"},
        {"return {\n  name = 'a'\n  api = 1 }", "a.lua:3: ", "Put a comma between the fields: before 'api'"},
        {"return {\n  { 1 }\n  { 2 } }", "a.lua:3: ", "Put a comma between the fields: before '{'"},
        {"return {\n  run = function() end end }", "a.lua:2: ", "look above it for what it should close"},
        {"local x = 1\nend", "a.lua:2: ", "look above it"},
        {"return { a = 1 } }", "a.lua:1: ", "look above it"},
        {"return { name = 'a,\n  api = 1 }", "a.lua:1: ", "Close the quote"},
        {"return {\n  \"name\" = 'a' }", "a.lua:2: ", "without quotes"},
        {"return {\n  'name'= 'a' }", "a.lua:2: ", "without quotes"},
        {"return { \"name\": 'a' }", "a.lua:1: ", "not `name: value`"},
        {"return { name: 'a' }", "a.lua:1: ", "not `name: value`"},
        {"return {\n  a =\xC2\xA0 1 }", "a.lua:2: ", "no-break spaces"},
        {"return { a = \xE2\x80\x9Chi\xE2\x80\x9D }", "a.lua:1: ", "straight quotes"},
        {"return { a = \xE2\x80\x98hi\xE2\x80\x99 }", "a.lua:1: ", "straight quotes"},
        {"return { a = \xC3\xA4 }", "a.lua:1: ", "plain ASCII"},
        {"local x = 1;\n// a comment", "a.lua:2: ", "begins with `--`"},
        {"local x = 1\n// a comment", "a.lua:2: ", "If `//` is meant to begin a comment, write `--`."},
        {"return {\n  a = 1 // the comment\n}", "a.lua:2: ", "If `//` is meant to begin a comment, write `--`."},
        {"local x = 1\nx", "a.lua:2: ", "not a statement"},
        {"/* a comment */", "a.lua:1: ", "begins with `--`"},
        {"# first line is free\n# this is not", "a.lua:2: ", "begins with `--`"},
        {"if a != b then end", "a.lua:1: ", "`~=`"},
        {"if !a then end", "a.lua:1: ", "Write `not`"},
        {"if a = b then end", "a.lua:1: ", "`==`"},
        {"x = a === b", "a.lua:1: ", "`==`"},
        {"x = a && b", "a.lua:1: ", "Write `and`"},
        {"if a || b then end", "a.lua:1: ", "Write `or`"},
        {"x += 1", "a.lua:1: ", "there is no `+=`"},
        {"t.x -= 1", "a.lua:1: ", "there is no `-=`"},
        {"x ..= 'a'", "a.lua:1: ", "there is no `..=`"},
        {"i++", "a.lua:1: ", "there is no `++`"},
        {"for i = 1, 2 do\n  if x then continue end\nend", "a.lua:2: ", "`goto continue`"},
        {"for i = 1, 2 do\n  continue\nend", "a.lua:3: ", "`goto continue`"},
        {"let x = 1", "a.lua:1: ", "Write `local` instead of `let`."},
        {"x = 'C:\\data'", "a.lua:1: ", "`\\\\`"},
        {"return { a = [[text", "a.lua:1: ", "`]]`"},
        {"if true then", "a.lua:1: ", "not closed"},
        {"local x =", "a.lua:1: ", "a value is missing"},
    };
    for (const slip& one : slips) {
        const ai::failure told = refusal_of(one.text);
        INFO(one.text << "\n" << told.message << "\n" << told.hint);
        CHECK(told.message.find(one.where) == 0);
        CHECK(told.hint.find(one.change) != std::string::npos);
    }
}

TEST_CASE("where the change is not certain, only the place is told") {
    for (const char* text : {"return { description = the door }", "return { a = fuction(x) return 1 end }", "f(a b)", "x = ?",
                             "return { a = 1 ] }", "local continued = 1 x.y z"}) {
        const ai::failure told = refusal_of(text);
        INFO(text << "\n" << told.message << "\n" << told.hint);
        CHECK(told.hint.find("Fix the Lua code in this line, at ") == 0);
    }
}

TEST_CASE("what a plugin does not have is told with what to use instead, when it is loaded and when it runs") {
    const slip slips[] = {
        {"print('hello')", "a.lua:1: ", "ctx.log"},         {"local f = io.open('x')", "a.lua:1: ", "no files"},
        {"local t = os.time()", "a.lua:1: ", "no clock"},   {"local json = require('json')", "a.lua:1: ", "one file"},
        {"local x = null.y", "a.lua:1: ", "pyaichat.null"}, {"ctx.log('x')", "a.lua:1: ", "function(args, ctx)"},
    };
    for (const slip& one : slips) {
        const ai::failure told = refusal_of(one.text);
        CHECK(told.message.find(one.where) == 0);
        CHECK(told.hint.find(one.change) != std::string::npos);
        plugin_bench bench;
        CHECK_FALSE(bench.run("helper()", ai::json::object(), "local function helper() " + std::string(one.text) + " end").ok());
        CHECK(bench.texts(lua::notice::kind::failed).at(0).find(one.change) != std::string::npos);
    }
    CHECK(pyaichat::lua::detail::change_for_error("attempt to call a nil value (global 'prnt')").empty());
}

TEST_CASE("an error of string.format names the function") {
    plugin_bench bench;
    CHECK_FALSE(bench.run("return ('%d'):format('x')").ok());
    CHECK(bench.told.at(0).text == "t1.lua:2: `t1`: bad argument #2 to 'string.format' (number expected, got string)");
}
