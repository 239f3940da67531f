#include "lua/sandbox/values.hpp"
#include "lua/sandbox/guest.hpp"

#include "lua_bench.hpp"

#include <cmath>

using namespace lua_bench;
using lua::detail::check_value;
using lua::detail::push_json;

namespace {

/// A state into which JSON is put and out of which it is read.
class round_trip {
public:
    ai::result<ai::json> operator()(const ai::json& value) {
        REQUIRE(check_value(value));
        REQUIRE(state_->protect(
            [](lua_State* L) {
                push_json(L, *static_cast<const ai::json*>(lua_touserdata(L, 1)));
                lua_setfield(L, LUA_REGISTRYINDEX, "value");
                return 0;
            },
            const_cast<ai::json*>(&value)));
        lua_getfield(state_->main(), LUA_REGISTRYINDEX, "value");
        return lua::detail::read_json(state_->main(), -1, "value");
    }

private:
    std::unique_ptr<lua::detail::guest_state> state_ = lua::detail::guest_state::open(std::size_t{8} << 20);
};

std::string error_of(const std::string& body) {
    plugin_bench bench;
    CHECK_FALSE(bench.run(body).ok());
    return bench.texts(lua::notice::kind::failed).at(0);
}

}  // namespace

TEST_CASE("JSON goes through Lua unchanged") {
    round_trip through;
    for (const char* text : {"null", "true", "0", "-7", "1.5", "1e300", R"("text")", R"("\u0000\u00e4")", "[]", "{}", "[[],{}]",
                             "[null,null]", R"({"a":{"b":[1,2,{"c":null}]},"":1})", "9007199254740992", "-9007199254740992"}) {
        const ai::result<ai::json> value = ai::parse_json(text);
        REQUIRE(value);
        const ai::result<ai::json> back = through(*value);
        REQUIRE(back);
        CHECK(ai::dump_json(*back) == ai::dump_json(*value));
    }
}

TEST_CASE("numbers that JSON cannot keep have a defined outcome") {
    plugin_bench bench;
    CHECK(bench.value_of("0 / 0").is_null());
    CHECK(bench.value_of("1 / 0").is_null());
    CHECK(bench.value_of("-1 / 0").is_null());
    CHECK(bench.value_of("(1 << 53)") == 9007199254740992);
    CHECK(bench.value_of("(1 << 53) + 1") == "9007199254740993");
    CHECK(bench.value_of("math.mininteger") == "-9223372036854775808");
    CHECK(bench.value_of("2.0 ^ 60") == std::pow(2.0, 60));
    round_trip through;
    CHECK(*through(ai::json(std::uint64_t{18446744073709551615u})) == 18446744073709551615.0);
    CHECK(*through(ai::json(3.0)) == ai::json(3));
    CHECK((*through(ai::json(3.0))).is_number_integer());
}

TEST_CASE("bytes that are no text are repaired") {
    plugin_bench bench;
    CHECK(bench.value_of("'a\\255b'") ==
          "a\xEF\xBF\xBD"
          "b");
    CHECK_FALSE(bench.run("return { ['\\255'] = 1, ['\\254'] = 2 }").ok());  // repaired, these would be one name
    CHECK(bench.told.back().text.find("the result has a name that is not UTF-8") != std::string::npos);
}

TEST_CASE("what is no value is refused with its place") {
    CHECK(error_of("return { a = { 1, 2, print or error } }").find("the result.a[3] is a function") != std::string::npos);
    CHECK(error_of("return { 1, 2, x = 3 }").find("has both list items and the name `x`") != std::string::npos);
    CHECK(error_of("return { [1] = 1, [3] = 3 }").find("holes") != std::string::npos);
    CHECK(error_of("return { [2] = 1 }").find("holes") != std::string::npos);
    CHECK(error_of("return { [true] = 1 }").find("has a boolean as a name") != std::string::npos);
    CHECK(error_of("return { [1.5] = 1 }").find("numbers as names") != std::string::npos);
    CHECK(error_of("local t = {} t.a = { b = t } return t").find("the result.a.b contains itself") != std::string::npos);
    CHECK(error_of("local t = 1 for i = 1, 40 do t = { t } end return t").find("nests deeper than 32 levels") != std::string::npos);
    CHECK(error_of("local t = {} for i = 1, 10001 do t[i] = i end return t").find("more than 10000 members") != std::string::npos);
    CHECK(error_of("local t = {} for i = 1, 10001 do t['k' .. i] = i end return t").find("more than 10000 members") != std::string::npos);
    CHECK(error_of("local s = ('x'):rep(600000) return { s, s }").find("bytes of text") != std::string::npos);
}

TEST_CASE("one table in two places is no cycle") {
    plugin_bench bench;
    CHECK(ai::dump_json(bench.run("local t = { 1 } return { a = t, b = { t, t } }").result) == R"({"a":[1],"b":[[1],[1]]})");
}

TEST_CASE("values that are too large do not go into a plugin") {
    ai::json deep = 1;
    for (int i = 0; i < 33; ++i) {
        ai::json outer = ai::json::array();
        outer.push_back(std::move(deep));
        deep = std::move(outer);
    }
    CHECK(check_value(deep).error().code == ai::errc::too_large);
    CHECK(check_value(deep[0]));
    CHECK_FALSE(check_value(ai::json(std::vector<int>(10'001, 1))));
    CHECK(check_value(ai::json(std::vector<int>(10'000, 1))));
    CHECK_FALSE(check_value(ai::json(std::string((1 << 20) + 1, 'x'))));
}

TEST_CASE("reading leaves Lua's stack as it was, also after a refusal") {
    auto state = lua::detail::guest_state::open(std::size_t{8} << 20);
    lua_State* const L = state->main();
    lua_newtable(L);
    lua_newtable(L);
    lua_pushcfunction(L, [](lua_State*) { return 0; });
    lua_setfield(L, -2, "f");
    lua_setfield(L, -2, "t");
    const int top = lua_gettop(L);
    CHECK_FALSE(lua::detail::read_json(L, -1, "value"));
    CHECK(lua_gettop(L) == top);
}
