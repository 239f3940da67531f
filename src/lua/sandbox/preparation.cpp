#include "lua/sandbox/preparation.hpp"

#include "lua/sandbox/guest.hpp"
#include "lua/sandbox/instance.hpp"
#include "lua/sandbox/values.hpp"

#include <algorithm>
#include <chrono>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The text for `lua_load`, in pieces. No hook limits the compiler, and its time is not linear in the text: it searches the names of all
/// enclosing functions. So the text ends when the time is up.
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
    auto& task = *static_cast<preparation*>(lua_touserdata(L, 1));
    lua_State* const co = lua_newthread(L);
    lua_pushvalue(L, -1);
    task.anchor = luaL_ref(L, LUA_REGISTRYINDEX);
    task.coroutine = co;
    if (task.function == 0) {
        piecewise source{.rest = task.text};
        int status = lua_load(L, next_piece, &source, task.chunk_name, "t");
        if (source.late) {  // once more: the whole machine may have been busy
            lua_pop(L, 1);
            source = {.rest = task.text};
            status = lua_load(L, next_piece, &source, task.chunk_name, "t");
        }
        if (status == LUA_ERRMEM) {
            return lua_error(L);
        }
        task.late = source.late;
        if (status != LUA_OK && !source.late) {
            std::size_t size = 0;
            const char* const text = lua_tolstring(L, -1, &size);
            task.compiler_error->assign(text != nullptr ? text : "cannot be read", text != nullptr ? size : 14);
        }
        lua_xmove(L, co, 1);
        return 0;
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, functions_key());
    lua_rawgeti(L, -1, task.function);
    lua_Debug about;
    lua_pushvalue(L, -1);
    task.begins_at = lua_getinfo(L, ">S", &about) != 0 ? std::max(about.linedefined, 0) : 0;
    lua_xmove(L, co, 1);
    for (const json* const argument : task.arguments) {
        push_json(L, *argument);
        lua_xmove(L, co, 1);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, ctx_key());
    lua_xmove(L, co, 1);
    return 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
