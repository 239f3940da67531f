#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/guest.hpp"

#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

int repeat(lua_State* L) {
    std::size_t size = 0;
    std::size_t gap_size = 0;
    const char* const text = luaL_checklstring(L, 1, &size);
    const lua_Integer count = luaL_checkinteger(L, 2);
    const char* const gap = luaL_optlstring(L, 3, "", &gap_size);
    const std::size_t each = size + gap_size;  // Lua strings are too short for an overflow
    if (count <= 0 || each == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if (static_cast<lua_Unsigned>(count) > max_string / each + 1 || static_cast<std::size_t>(count) * each - gap_size > max_string) {
        return luaL_error(L, "the repeated string would be too long");
    }
    const std::size_t total = static_cast<std::size_t>(count) * each - gap_size;
    charge(L, 1 + static_cast<std::uint64_t>(count) / 8 + total / 64);
    luaL_Buffer repeated;
    char* at = luaL_buffinitsize(L, &repeated, total);
    for (lua_Integer i = 0; i < count; ++i) {
        std::memcpy(at, text, size);
        at += size;
        if (i + 1 < count) {
            std::memcpy(at, gap, gap_size);
            at += gap_size;
        }
    }
    luaL_pushresultsize(&repeated, total);
    return 1;
}

/// Lua's own `format` (the upvalue), without `%p` and without addresses in `%s`.
int format(lua_State* L) {
    std::size_t size = 0;
    const char* at = luaL_checklstring(L, 1, &size);
    const char* const end = at + size;
    std::size_t total = size;
    for (int argument = 1; at != end; ++at) {
        if (*at != '%') {
            continue;
        }
        ++at;
        while (at != end && std::strchr("-+ #0123456789.", *at) != nullptr && *at != '\0') {
            ++at;
        }
        if (at == end || *at == 'p') {
            return luaL_error(L, at == end ? "the format ends in the middle of a '%%'" : "a plugin cannot format '%%p'");
        }
        if (*at == '%') {
            continue;
        }
        ++argument;
        if (*at == 's') {
            luaL_checkany(L, argument);
            total += push_text_of(L, argument).size();
            lua_replace(L, argument);
        }
    }
    if (total > max_string) {
        return luaL_error(L, "the formatted string would be too long");
    }
    charge(L, 10 + total / 64);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

}  // namespace

void add_string_functions(lua_State* L) {
    lua_pushcclosure(L, format, 1);
    lua_setfield(L, -2, "format");
    lua_pushcfunction(L, repeat);
    lua_setfield(L, -2, "rep");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
