#include "lua/host/plugin_source.hpp"

#include "catch.hpp"

namespace ai = pyaichat;
using ai::lua::detail::max_source;
using ai::lua::detail::text_to_compile;

namespace {

std::string jumps(int count) {
    std::string text = "while true do\n";
    for (int i = 0; i < count; ++i) {
        text += i % 2 == 0 ? "break;\n" : "goto a\n";
    }
    return text + "::a:: end";
}

}  // namespace

TEST_CASE("what is no Lua at the start of a file is left out, and line numbers stay") {
    CHECK(text_to_compile({"a.lua", "return 1"}).value() == "return 1");
    CHECK(text_to_compile({"a.lua", "\xEF\xBB\xBFreturn 1"}).value() == "return 1");
    CHECK(text_to_compile({"a.lua", "#!/usr/bin/env lua\nreturn 1"}).value() == "\nreturn 1");
    CHECK(text_to_compile({"a.lua", "\xEF\xBB\xBF#!lua"}).value().empty());
    CHECK(text_to_compile({"a.lua", ""}).value().empty());
}

TEST_CASE("compiled Lua is refused, whatever stands before it") {
    for (const char* before : {"", "\xEF\xBB\xBF", "#!lua\n", "\xEF\xBB\xBF#\n"}) {
        const auto refused = text_to_compile({"a.lua", std::string(before) + "\x1bLuaT"});
        REQUIRE_FALSE(refused);
        CHECK(refused.error().message == "a.lua:1: the file is compiled Lua");
    }
}

TEST_CASE("a file may have many jumps, and not so many that the compiler does not end") {
    CHECK(text_to_compile({"a.lua", jumps(4000)}));
    const auto refused = text_to_compile({"a.lua", jumps(4001)});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == "a.lua:4002: the file has more than 4000 `goto` and `break`");
    // No word hides another: not in what looks like a comment or a text.
    std::string hidden = "x = '\\z\n'--[==[";
    for (int i = 0; i < 5000; ++i) {
        hidden += "break;";
    }
    CHECK_FALSE(text_to_compile({"a.lua", hidden}));
    std::string others;
    for (int i = 0; i < 5000; ++i) {
        others += "gotos=breaks;x_break=1 ";
    }
    CHECK(text_to_compile({"a.lua", others}));
}

TEST_CASE("a file has at most 256 KiB") {
    CHECK(text_to_compile({"a.lua", std::string(max_source, ' ')}));
    CHECK(text_to_compile({"a.lua", std::string(max_source + 1, ' ')}).error().code == ai::errc::too_large);
}
