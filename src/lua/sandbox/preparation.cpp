#include "lua/sandbox/preparation.hpp"

#include "lua/sandbox/guest.hpp"
#include "lua/sandbox/instance.hpp"
#include "lua/sandbox/values.hpp"

#include <algorithm>
#include <chrono>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The text for `lua_load`, in pieces: no hook looks after the compiler, whose time is not linear in what it reads (it searches all names
/// of all functions around). When time is up the text ends, which it takes for a mistake.
struct piecewise {
    std::string_view rest = {};
    guest::clock::time_point until = guest::clock::now() + std::chrono::milliseconds(100);
    bool late = false;
};

const char* next_piece(lua_State*, void* data, std::size_t* size) {
    auto& text = *static_cast<piecewise*>(data);
    text.late = text.late || (!text.rest.empty() && guest::clock::now() > text.until);
    const std::string_view piece = text.late ? std::string_view() : text.rest.substr(0, 256);
    text.rest.remove_prefix(piece.size());
    *size = piece.size();
    return piece.empty() ? nullptr : piece.data();
}

}  // namespace

int prepare(lua_State* L) {
    auto& wanted = *static_cast<preparation*>(lua_touserdata(L, 1));
    lua_State* const co = lua_newthread(L);
    lua_pushvalue(L, -1);
    wanted.anchor = luaL_ref(L, LUA_REGISTRYINDEX);
    wanted.coroutine = co;
    if (wanted.function == 0) {
        piecewise source{.rest = wanted.text};
        int status = lua_load(L, next_piece, &source, wanted.chunk_name, "t");
        if (source.late) {  // the whole machine may have stood still
            lua_pop(L, 1);
            source = {.rest = wanted.text};
            status = lua_load(L, next_piece, &source, wanted.chunk_name, "t");
        }
        if (status == LUA_ERRMEM) {
            return lua_error(L);
        }
        wanted.late = source.late;
        if (status != LUA_OK && !source.late) {
            std::size_t size = 0;
            const char* const text = lua_tolstring(L, -1, &size);
            wanted.complaint->assign(text != nullptr ? text : "cannot be read", text != nullptr ? size : 14);
        }
        lua_xmove(L, co, 1);
        return 0;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, functions_key());
    lua_rawgeti(L, -1, wanted.function);
    lua_Debug about;
    lua_pushvalue(L, -1);
    wanted.begins_at = lua_getinfo(L, ">S", &about) != 0 ? std::max(about.linedefined, 0) : 0;
    lua_xmove(L, co, 1);
    for (const json* const argument : wanted.arguments) {
        push_json(L, *argument);
        lua_xmove(L, co, 1);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, ctx_key());
    lua_xmove(L, co, 1);
    return 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
