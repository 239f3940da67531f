#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/guest.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// After a protected call: raises a violation again, because a plugin must not catch it.
void pass_on_violation(lua_State* L, int status) {
    if (status == LUA_ERRMEM) {
        break_guest(L, violation::memory);
    }
    if (guest_of(L).broken != violation::none) {
        raise_broken(L);
    }
}

int next_entry(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    charge(L, 16);  // it may walk a large table that was emptied
    if (lua_next(L, 1) != 0) {
        return 2;
    }
    lua_pushnil(L);
    return 1;
}

int pairs_of(lua_State* L) {
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_pushcfunction(L, next_entry);
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

int no_metatable(lua_State* L) {
    luaL_checkany(L, 1);
    lua_pushnil(L);
    return 1;
}

/// Sets a copy of the metatable's metamethods, so that the plugin cannot add forbidden ones later.
int set_metatable(lua_State* L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    if (lua_isnil(L, 2)) {
        lua_setmetatable(L, 1);
        lua_settop(L, 1);
        return 1;
    }
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_newtable(L);
    for (lua_pushnil(L); lua_next(L, 2) != 0;) {
        charge(L, 4);
        const std::string_view key = string_at(L, -2);
        for (const char* const refused : {"__gc", "__close", "__mode", "__name", "__metatable"}) {
            if (key == refused) {
                return luaL_error(L, "a plugin's metatable cannot have '%s'", refused);
            }
        }
        // Lua walks a chain of callable tables in one instruction, and each step moves all arguments.
        if (key == "__call" && lua_type(L, -1) != LUA_TFUNCTION) {
            return luaL_error(L, "a plugin's '__call' must be a function");
        }
        if (key.starts_with("__")) {
            lua_pushvalue(L, -2);
            lua_insert(L, -2);
            lua_rawset(L, 3);
        } else {
            lua_pop(L, 1);
        }
    }
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

int text_of(lua_State* L) {
    luaL_checkany(L, 1);
    charge(L, 4);
    push_text_of(L, 1);
    return 1;
}

/// Ends a call whose `true` has `below` values below it: none for `pcall`, function and handler for `xpcall`.
int end_of_call(lua_State* L, int status, lua_KContext below) {
    pass_on_violation(L, status);
    if (status == LUA_OK || status == LUA_YIELD) {
        return lua_gettop(L) - static_cast<int>(below);
    }
    if (below != 0) {
        // Lua's own `xpcall` calls the handler at the error, which may be in the count hook, where no hook runs.
        lua_pushvalue(L, 2);
        lua_insert(L, -2);
        pass_on_violation(L, lua_pcall(L, 1, 1, 0));
    }
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

int protected_call(lua_State* L) {
    luaL_checkany(L, 1);
    charge(L, 20);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    return end_of_call(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, end_of_call), 0);
}

int protected_call_with_handler(lua_State* L) {
    luaL_checkany(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    charge(L, 20);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);  // function, handler, true, function, arguments
    return end_of_call(L, lua_pcallk(L, lua_gettop(L) - 4, LUA_MULTRET, 0, 2, end_of_call), 2);
}

}  // namespace

std::string_view push_text_of(lua_State* L, int index) {
    index = lua_absindex(L, index);
    luaL_checkstack(L, 4, nullptr);
    if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
        lua_pushvalue(L, index);
        lua_call(L, 1, 1);
        if (lua_isstring(L, -1) == 0) {
            luaL_error(L, "'__tostring' must return a string");
        }
    } else {
        switch (lua_type(L, index)) {
            case LUA_TNUMBER:
            case LUA_TSTRING: lua_pushvalue(L, index); break;
            case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) != 0 ? "true" : "false"); break;
            case LUA_TLIGHTUSERDATA: lua_pushliteral(L, "null"); break;
            default: lua_pushstring(L, luaL_typename(L, index)); break;
        }
    }
    lua_tostring(L, -1);  // converts a number
    return string_at(L, -1);
}

void add_base_functions(lua_State* L) {
    static const luaL_Reg functions[] = {{"getmetatable", no_metatable},
                                         {"next", next_entry},
                                         {"pairs", pairs_of},
                                         {"pcall", protected_call},
                                         {"setmetatable", set_metatable},
                                         {"tostring", text_of},
                                         {"xpcall", protected_call_with_handler},
                                         {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
