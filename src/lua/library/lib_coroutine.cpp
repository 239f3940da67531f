#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/guest.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

lua_State* coroutine_at(lua_State* L, int index) {
    lua_State* const co = lua_tothread(L, index);
    luaL_argexpected(L, co != nullptr, index, "coroutine");
    return co;
}

int create(lua_State* L) {
    luaL_checktype(L, 1, LUA_TFUNCTION);
    charge(L, 20);
    lua_State* const co = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, co, 1);
    return 1;
}

const char* status_of(lua_State* L, lua_State* co) {
    if (co == L) {
        return "running";
    }
    lua_Debug frame;
    switch (lua_status(co)) {
        case LUA_YIELD: return "suspended";
        case LUA_OK:
            if (lua_getstack(co, 0, &frame) != 0) {
                return "normal";
            }
            return lua_gettop(co) == 0 ? "dead" : "suspended";
        default: return "dead";
    }
}

int resumed_again(lua_State* L, int status, lua_KContext is_wrap);

/// Resumes `co` with the `count` values at the top of the stack and replaces them with its results or its error.
int resume(lua_State* L, lua_State* co, int count, lua_KContext is_wrap) {
    guest& at = guest_of(L);
    charge(L, 40);
    bool failed = true;
    int results = 0;
    const char* const status = status_of(L, co);
    if (status[0] != 's') {
        lua_pushfstring(L, "cannot resume %s coroutine", status[0] == 'd' ? "dead" : "non-suspended");
    } else if (lua_checkstack(co, count) == 0) {
        lua_pushliteral(L, "too many arguments to resume");
    } else {
        lua_xmove(L, co, count);
        at.current = co;
        watch(co);
        const int ended = lua_resume(co, L, count, &results);
        at.current = L;
        watch(L);
        if (ended == LUA_ERRMEM) {
            break_guest(co, violation::memory);
        }
        if (at.broken != violation::none) {
            return raise_broken(L);
        }
        if (ended == LUA_YIELD && at.calling_out) {
            if (lua_isyieldable(L) == 0) {
                at.calling_out = false;
                return luaL_error(L, "ctx.call cannot be used in a function that sort, gsub or a metamethod calls");
            }
            return lua_yieldk(L, 0, is_wrap, resumed_again);  // on to the host, which resumes the innermost coroutine
        }
        failed = ended != LUA_OK && ended != LUA_YIELD;
        if (!failed && lua_checkstack(L, results + 1) == 0) {
            lua_pop(co, results);
            lua_pushliteral(L, "too many results to resume");
            failed = true;
        } else {
            lua_xmove(co, L, failed ? 1 : results);
        }
    }
    if (is_wrap != 0) {
        return failed ? lua_error(L) : results;
    }
    lua_pushboolean(L, failed ? 0 : 1);
    lua_insert(L, failed ? -2 : -(results + 1));
    return failed ? 2 : results + 1;
}

int resumed_again(lua_State* L, int, lua_KContext is_wrap) {
    return resume(L, lua_tothread(L, is_wrap != 0 ? lua_upvalueindex(1) : 1), 0, is_wrap);
}

int resume_coroutine(lua_State* L) {
    return resume(L, coroutine_at(L, 1), lua_gettop(L) - 1, 0);
}

int resume_wrapped(lua_State* L) {
    return resume(L, lua_tothread(L, lua_upvalueindex(1)), lua_gettop(L), 1);
}

int wrap(lua_State* L) {
    create(L);
    lua_pushcclosure(L, resume_wrapped, 1);
    return 1;
}

int yield(lua_State* L) {
    charge(L, 20);
    return lua_yield(L, lua_gettop(L));
}

int status(lua_State* L) {
    lua_pushstring(L, status_of(L, coroutine_at(L, 1)));
    return 1;
}

int is_yieldable(lua_State* L) {
    lua_pushboolean(L, lua_isyieldable(L));
    return 1;
}

int running(lua_State* L) {
    lua_pushboolean(L, lua_pushthread(L));
    return 2;
}

}  // namespace

void add_coroutine_functions(lua_State* L) {
    static const luaL_Reg functions[] = {{"create", create},
                                         {"isyieldable", is_yieldable},
                                         {"resume", resume_coroutine},
                                         {"running", running},
                                         {"status", status},
                                         {"wrap", wrap},
                                         {"yield", yield},
                                         {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
