#include "lua/library/pattern_matcher.hpp"
#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/guest.hpp"

#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// Converts a Lua position (from 1, or negative from the end) to an offset, which may be after the end.
std::size_t start_at(lua_Integer place, std::size_t size) {
    if (place > 0) {
        return static_cast<std::size_t>(place - 1);
    }
    if (place == 0 || place < -static_cast<lua_Integer>(size)) {
        return 0;
    }
    return size - static_cast<std::size_t>(-place);
}

bool is_plain(const char* pattern, std::size_t size) {
    return std::strpbrk(pattern, "^$*+?.([%-") == nullptr && std::strlen(pattern) == size;
}

/// The first occurrence of `needle` in [from, end), or null.
const char* search(lua_State* L, const char* from, const char* end, const char* needle, std::size_t size) {
    if (size == 0) {
        return from;
    }
    while (end - from >= static_cast<std::ptrdiff_t>(size)) {
        const auto room = static_cast<std::size_t>(end - from) - size + 1;
        const auto* const first = static_cast<const char*>(std::memchr(from, needle[0], room));
        charge(L, 1 + static_cast<std::uint64_t>((first != nullptr ? first : end) - from) / 64 + size / 16);
        if (first == nullptr) {
            return nullptr;
        }
        if (std::memcmp(first, needle, size) == 0) {
            return first;
        }
        from = first + 1;
    }
    return nullptr;
}

pattern_matcher matcher_for(lua_State* L, const char* text, std::size_t size, const char* pattern, std::size_t pattern_size) {
    pattern_matcher matcher;
    matcher.L = L;
    matcher.text = text;
    matcher.text_end = text + size;
    matcher.pattern_end = pattern + pattern_size;
    matcher.depth = 0;
    matcher.count = 0;
    return matcher;
}

int find_or_match(lua_State* L, bool find) {
    std::size_t size = 0;
    std::size_t pattern_size = 0;
    const char* const text = luaL_checklstring(L, 1, &size);
    const char* pattern = luaL_checklstring(L, 2, &pattern_size);
    const std::size_t from = start_at(luaL_optinteger(L, 3, 1), size);
    charge(L, 4);
    if (from > size) {
        lua_pushnil(L);
        return 1;
    }
    if (find && (lua_toboolean(L, 4) != 0 || is_plain(pattern, pattern_size))) {
        const char* const found = search(L, text + from, text + size, pattern, pattern_size);
        if (found == nullptr) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, found - text + 1);
        lua_pushinteger(L, found - text + static_cast<lua_Integer>(pattern_size));
        return 2;
    }
    const bool anchored = pattern_size > 0 && *pattern == '^';
    pattern_matcher matcher = matcher_for(L, text, size, pattern, pattern_size);
    pattern += anchored ? 1 : 0;
    const char* s = text + from;
    do {
        charge(L, 1);
        if (const char* const e = matcher.run(s, pattern)) {
            if (!find) {
                return matcher.push_captures(s, e);
            }
            lua_pushinteger(L, s - text + 1);
            lua_pushinteger(L, e - text);
            return matcher.push_captures(nullptr, nullptr) + 2;
        }
    } while (s++ != matcher.text_end && !anchored);
    lua_pushnil(L);
    return 1;
}

int find(lua_State* L) {
    return find_or_match(L, true);
}

int match(lua_State* L) {
    return find_or_match(L, false);
}

/// Upvalues: text, pattern, next offset, end of the last match (-1 = none).
int next_match(lua_State* L) {
    std::size_t size = 0;
    std::size_t pattern_size = 0;
    const char* const text = lua_tolstring(L, lua_upvalueindex(1), &size);
    const char* const pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_size);
    const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    pattern_matcher matcher = matcher_for(L, text, size, pattern, pattern_size);
    for (lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)); at <= static_cast<lua_Integer>(size); ++at) {
        charge(L, 1);
        const char* const e = matcher.run(text + at, pattern);
        if (e != nullptr && e - text != last) {
            lua_pushinteger(L, e - text);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return matcher.push_captures(text + at, e);
        }
    }
    return 0;
}

int gmatch(lua_State* L) {
    std::size_t size = 0;
    luaL_checklstring(L, 1, &size);
    luaL_checkstring(L, 2);
    const std::size_t from = start_at(luaL_optinteger(L, 3, 1), size);
    lua_settop(L, 2);
    lua_pushinteger(L, static_cast<lua_Integer>(from > size ? size + 1 : from));
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

/// Adds a replacement text, in which `%1` is a capture, `%0` the whole match and `%%` a percent sign.
void add_template(const pattern_matcher& m, luaL_Buffer* built, const char* s, const char* e) {
    std::size_t size = 0;
    const char* at = lua_tolstring(m.L, 3, &size);
    const char* const end = at + size;
    charge(m.L, 1 + size / 16);
    while (at != end) {
        const auto* const sign = static_cast<const char*>(std::memchr(at, '%', static_cast<std::size_t>(end - at)));
        luaL_addlstring(built, at, static_cast<std::size_t>((sign != nullptr ? sign : end) - at));
        if (sign == nullptr) {
            return;
        }
        at = sign + 1;
        const char what = at != end ? *at : '\0';
        if (what == '%') {
            luaL_addchar(built, '%');
        } else if (what == '0') {
            luaL_addlstring(built, s, static_cast<std::size_t>(e - s));
        } else if (what >= '1' && what <= '9') {
            m.push_capture(what - '1', s, e);
            luaL_tolstring(m.L, -1, nullptr);  // the capture is a string or an integer
            lua_remove(m.L, -2);
            luaL_addvalue(built);
        } else {
            luaL_error(m.L, "'%%' in a replacement is followed by a digit or another '%%'");
        }
        ++at;
    }
}

/// Adds the replacement of one match.
void add_replacement(const pattern_matcher& m, luaL_Buffer* built, const char* s, const char* e, int kind) {
    lua_State* const L = m.L;
    if (kind == LUA_TSTRING || kind == LUA_TNUMBER) {
        add_template(m, built, s, e);
        return;
    }
    if (kind == LUA_TTABLE) {
        m.push_capture(0, s, e);
        lua_gettable(L, 3);
    } else {
        lua_pushvalue(L, 3);
        lua_call(L, m.push_captures(s, e), 1);
    }
    if (lua_toboolean(L, -1) == 0) {
        lua_pop(L, 1);
        luaL_addlstring(built, s, static_cast<std::size_t>(e - s));
    } else if (lua_isstring(L, -1) != 0) {
        luaL_addvalue(built);
    } else {
        luaL_error(L, "the replacement is a %s; it must be a string, a number, false or nil", luaL_typename(L, -1));
    }
}

int gsub(lua_State* L) {
    std::size_t size = 0;
    std::size_t pattern_size = 0;
    const char* s = luaL_checklstring(L, 1, &size);
    const char* pattern = luaL_checklstring(L, 2, &pattern_size);
    const int kind = lua_type(L, 3);
    luaL_argexpected(L, kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE, 3,
                     "string, table or function");
    if (kind == LUA_TNUMBER) {
        lua_tostring(L, 3);
    }
    const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(size) + 1);
    const bool anchored = pattern_size > 0 && *pattern == '^';
    pattern_matcher matcher = matcher_for(L, s, size, pattern, pattern_size);
    pattern += anchored ? 1 : 0;
    const char* last = nullptr;
    lua_Integer replaced = 0;
    luaL_Buffer built;
    luaL_buffinit(L, &built);
    while (replaced < most) {
        charge(L, 2);
        const char* const e = matcher.run(s, pattern);
        if (e != nullptr && e != last) {
            ++replaced;
            add_replacement(matcher, &built, s, e, kind);
            s = last = e;
        } else if (s != matcher.text_end) {
            luaL_addchar(&built, *s++);
        } else {
            break;
        }
        if (luaL_bufflen(&built) > max_string) {
            return luaL_error(L, "the replaced string would be too long");
        }
        if (anchored) {
            break;
        }
    }
    luaL_addlstring(&built, s, static_cast<std::size_t>(matcher.text_end - s));
    luaL_pushresult(&built);
    lua_pushinteger(L, replaced);
    return 2;
}

}  // namespace

void add_pattern_functions(lua_State* L) {
    static const luaL_Reg functions[] = {{"find", find}, {"gmatch", gmatch}, {"gsub", gsub}, {"match", match}, {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
