#include "lua/sandbox/environment.hpp"

#include "lua/sandbox/guest.hpp"

#include <initializer_list>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// Its address is the registry key of the metatable that marks lists.
char array_mark = 0;

/// Opens a library and pushes its table and above it a new one, with its named members.
void open_some(lua_State* L, lua_CFunction opens, std::initializer_list<const char*> names) {
    lua_pushcfunction(L, opens);
    lua_call(L, 0, 1);
    lua_newtable(L);
    for (const char* const name : names) {
        lua_getfield(L, -2, name);
        lua_setfield(L, -2, name);
    }
}

int array_of(lua_State* L) {
    if (lua_isnoneornil(L, 1)) {
        lua_settop(L, 0);
        lua_newtable(L);
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    mark_array(L, 1);
    lua_settop(L, 1);
    return 1;
}

/// Requires an argument, because Lua's own `randomseed` would return an address without one.
int seed_random(lua_State* L) {
    luaL_checknumber(L, 1);
    lua_settop(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, 1, 0);
    return 0;
}

void add_base(lua_State* L) {
    // Lua's opening function fills the table of globals: here a scratch table, from which only some functions are copied.
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
    open_some(L, luaopen_base,
              {"_VERSION", "assert", "error", "ipairs", "rawequal", "rawget", "rawlen", "rawset", "select", "tonumber", "type"});
    lua_remove(L, -2);
    add_base_functions(L);
    lua_pushvalue(L, -1);
    lua_setfield(L, -2, "_G");
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

/// Registers a name for Lua's error messages: for a Lua function at the top of the stack that only this room's functions call.
void name_for_messages(lua_State* L, const char* library, const char* name) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    luaL_getsubtable(L, -1, library);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, name);
    lua_pop(L, 2);
}

/// Adds `string` to the environment at the top of the stack.
void add_strings(lua_State* L) {
    open_some(L, luaopen_string, {"byte", "char", "len", "lower", "reverse", "sub", "upper"});
    lua_getfield(L, -2, "format");
    name_for_messages(L, "string", "format");
    add_string_functions(L);
    lua_remove(L, -2);
    lua_setfield(L, -2, "string");

    // The methods of strings are a copy that a plugin cannot change: `("x"):rep(3)` works even if `string` was changed.
    lua_pushliteral(L, "");
    lua_getmetatable(L, -1);
    lua_newtable(L);
    for (const char* const arithmetic : {"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__unm", "__idiv"}) {
        lua_getfield(L, -2, arithmetic);  // for strings that are numbers
        lua_setfield(L, -2, arithmetic);
    }
    lua_remove(L, -2);
    lua_newtable(L);
    lua_getfield(L, -4, "string");
    for (lua_pushnil(L); lua_next(L, -2) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

void add_maths(lua_State* L) {
    open_some(L, luaopen_math,
              {"abs",        "acos", "asin",       "atan", "ceil", "cos", "deg",    "exp", "floor", "fmod", "huge",      "log",  "max",
               "maxinteger", "min",  "mininteger", "modf", "pi",   "rad", "random", "sin", "sqrt",  "tan",  "tointeger", "type", "ult"});
    lua_getfield(L, -2, "randomseed");
    lua_pushvalue(L, -1);
    lua_pushinteger(L, guest_of(L).seed);  // Lua's own seed contains an address, which the numbers could reveal
    lua_call(L, 1, 0);
    lua_pushcclosure(L, seed_random, 1);
    lua_setfield(L, -2, "randomseed");
    lua_remove(L, -2);
    lua_setfield(L, -2, "math");
}

void add_utf8(lua_State* L) {
    open_some(L, luaopen_utf8, {"char", "charpattern", "codepoint", "codes", "len", "offset"});
    lua_remove(L, -2);
    lua_setfield(L, -2, "utf8");
}

}  // namespace

void mark_array(lua_State* L, int index) {
    index = lua_absindex(L, index);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &array_mark);
    lua_setmetatable(L, index);
}

bool is_marked_array(lua_State* L, int index) noexcept {
    if (lua_getmetatable(L, index) == 0) {
        return false;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &array_mark);
    const bool marked = lua_rawequal(L, -1, -2) != 0;
    lua_pop(L, 2);
    return marked;
}

int open_environment(lua_State* L) {
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &array_mark);

    add_base(L);
    add_strings(L);
    add_maths(L);
    add_utf8(L);
    lua_newtable(L);
    add_table_functions(L);
    lua_setfield(L, -2, "table");
    lua_newtable(L);
    add_coroutine_functions(L);
    lua_setfield(L, -2, "coroutine");
    lua_newtable(L);
    lua_pushcfunction(L, array_of);
    lua_setfield(L, -2, "array");
    lua_pushlightuserdata(L, nullptr);
    lua_setfield(L, -2, "null");
    lua_setfield(L, -2, "pyaichat");
    lua_pop(L, 1);
    return 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
