#include "lua/sandbox/activation.hpp"
#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/values.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The running activation. A plugin that has stored `ctx` may also use it in another call.
activation& current_activation(lua_State* L) {
    return *static_cast<activation*>(guest_of(L).job);
}

/// Rejects `ctx:log(x)`, which passes `ctx` itself as the first argument.
void refuse_colon(lua_State* L, const char* right) {
    if (lua_gettop(L) > 0) {
        lua_rawgetp(L, LUA_REGISTRYINDEX, &ctx_key);
        if (lua_rawequal(L, 1, -1) != 0) {
            luaL_error(L, "use %s, with a dot", right);
        }
        lua_pop(L, 1);
    }
}

int log(lua_State* L) {
    refuse_colon(L, "ctx.log(text)");
    luaL_checkany(L, 1);
    const std::string_view text = push_text_of(L, 1);
    charge(L, 50 + text.size() / 16);
    current_activation(L).add_log(text);
    return 0;
}

int deadline(lua_State* L) {
    refuse_colon(L, "ctx.deadline()");
    lua_pushnumber(L, current_activation(L).seconds_left());
    return 1;
}

int answered(lua_State* L, int, lua_KContext) {
    const capability_reply& answer = current_activation(L).answer();
    if (answer.ok()) {
        push_json(L, answer.result);
        return 1;
    }
    lua_pushnil(L);
    lua_pushlstring(L, answer.message.data(), answer.message.size());
    return 2;
}

int call(lua_State* L) {
    refuse_colon(L, "ctx.call(name, args)");
    luaL_checktype(L, 1, LUA_TSTRING);
    charge(L, 100);
    if (lua_isyieldable(L) == 0) {
        return luaL_error(L, "ctx.call cannot be used in a function that sort, gsub or a metamethod calls");
    }
    if (const char* const why_not = current_activation(L).want_call(L)) {
        lua_pushnil(L);
        lua_pushstring(L, why_not);
        return 2;
    }
    guest_of(L).calling_out = true;
    return lua_yieldk(L, 0, 0, answered);
}

}  // namespace

void push_ctx(lua_State* L, const sandbox& limits) {
    struct member {
        bool permitted;
        const char* name;
        lua_CFunction function;
    };
    lua_newtable(L);
    for (const member& each : {member{limits.log, "log", log}, {limits.deadline, "deadline", deadline}, {limits.call, "call", call}}) {
        if (each.permitted) {
            lua_pushcfunction(L, each.function);
            lua_setfield(L, -2, each.name);
        }
    }
    if (limits.state) {
        lua_newtable(L);
        lua_setfield(L, -2, "state");
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
