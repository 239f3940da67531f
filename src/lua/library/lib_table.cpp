#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/guest.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr lua_Integer most_items = lua_Integer{1} << 20;
/// Limits the growth of Lua's stack.
constexpr lua_Integer most_unpacked = 8000;

/// The length of a list without a metatable (except the mark of a list), so that walking it runs no code of the plugin.
lua_Integer plain_length(lua_State* L, int index) {
    luaL_checktype(L, index, LUA_TTABLE);
    if (lua_getmetatable(L, index) != 0) {
        lua_pop(L, 1);
        if (!is_marked_array(L, index)) {
            luaL_argerror(L, index, "a table without a metatable is needed");
        }
    }
    const lua_Unsigned length = lua_rawlen(L, index);
    luaL_argcheck(L, length <= static_cast<lua_Unsigned>(most_items), index, "the list is too long");
    return static_cast<lua_Integer>(length);
}

int insert(lua_State* L) {
    const lua_Integer length = plain_length(L, 1);
    switch (lua_gettop(L)) {
        case 2: lua_rawseti(L, 1, length + 1); return 0;
        case 3: break;
        default: return luaL_error(L, "'insert' takes a list, a position if not at the end, and a value");
    }
    const lua_Integer at = luaL_checkinteger(L, 2);
    luaL_argcheck(L, at >= 1 && at <= length + 1, 2, "position out of bounds");
    for (lua_Integer i = length; i >= at; --i) {
        charge(L, 1);
        lua_rawgeti(L, 1, i);
        lua_rawseti(L, 1, i + 1);
    }
    lua_rawseti(L, 1, at);
    return 0;
}

int remove(lua_State* L) {
    const lua_Integer length = plain_length(L, 1);
    const lua_Integer at = luaL_optinteger(L, 2, length);
    if (lua_gettop(L) > 1) {
        luaL_argcheck(L, (length == 0 && at == 0) || (at >= 1 && at <= length + 1), 2, "position out of bounds");
    }
    lua_rawgeti(L, 1, at);
    for (lua_Integer i = at; i < length; ++i) {
        charge(L, 1);
        lua_rawgeti(L, 1, i + 1);
        lua_rawseti(L, 1, i);
    }
    if (at >= 1 && at <= length) {
        lua_pushnil(L);
        lua_rawseti(L, 1, length);
    }
    return 1;
}

int concat(lua_State* L) {
    const lua_Integer length = plain_length(L, 1);
    std::size_t gap_size = 0;
    const char* const gap = luaL_optlstring(L, 2, "", &gap_size);
    const lua_Integer first = luaL_optinteger(L, 3, 1);
    const lua_Integer last = luaL_optinteger(L, 4, length);
    if (first > last) {
        lua_pushliteral(L, "");
        return 1;
    }
    luaL_argcheck(L, first >= 1 && last <= length, first < 1 ? 3 : 4, "outside of the list");
    std::size_t total = 0;
    for (lua_Integer i = first; i <= last; ++i) {
        charge(L, 2);
        const int type = lua_rawgeti(L, 1, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER) {
            return luaL_error(L, "item %I of the list is a %s; 'concat' takes strings and numbers", i, luaL_typename(L, -1));
        }
        total += gap_size + (type == LUA_TSTRING ? lua_rawlen(L, -1) : 8);
        lua_pop(L, 1);
        if (total > max_string) {
            return luaL_error(L, "the joined string would be too long");
        }
    }
    luaL_Buffer joined;
    luaL_buffinit(L, &joined);
    for (lua_Integer i = first; i <= last; ++i) {
        lua_rawgeti(L, 1, i);
        luaL_addvalue(&joined);
        if (i != last) {
            luaL_addlstring(&joined, gap, gap_size);
        }
    }
    luaL_pushresult(&joined);
    return 1;
}

int unpack(lua_State* L) {
    const lua_Integer length = plain_length(L, 1);
    const lua_Integer first = luaL_optinteger(L, 2, 1);
    const lua_Integer last = luaL_optinteger(L, 3, length);
    if (first > last) {
        return 0;
    }
    const lua_Unsigned count = static_cast<lua_Unsigned>(last) - static_cast<lua_Unsigned>(first) + 1;
    if (count == 0 || count > static_cast<lua_Unsigned>(most_unpacked) || lua_checkstack(L, static_cast<int>(count)) == 0) {
        return luaL_error(L, "too many values to unpack");
    }
    charge(L, count);
    for (lua_Integer i = first;; ++i) {
        lua_rawgeti(L, 1, i);
        if (i == last) {
            return static_cast<int>(count);
        }
    }
}

int pack(lua_State* L) {
    const int count = lua_gettop(L);
    charge(L, static_cast<std::uint64_t>(count));
    lua_createtable(L, count, 1);
    lua_insert(L, 1);
    for (int i = count; i >= 1; --i) {
        lua_rawseti(L, 1, i);
    }
    lua_pushinteger(L, count);
    lua_setfield(L, 1, "n");
    return 1;
}

/// Whether item `b` of the list at `list` comes before item `a`. The stack: 1 the list, 2 the order function or nil.
bool comes_before(lua_State* L, int list, lua_Integer b, lua_Integer a) {
    charge(L, 8);
    const bool has_order = !lua_isnil(L, 2);
    if (has_order) {
        lua_pushvalue(L, 2);
    }
    lua_rawgeti(L, list, b);
    lua_rawgeti(L, list, a);
    if (has_order) {
        lua_call(L, 2, 1);
    } else {
        charge(L, 1 + std::min(string_at(L, -1).size(), string_at(L, -2).size()) / 64);
        lua_pushboolean(L, lua_compare(L, -2, -1, LUA_OPLT));
    }
    const bool before = lua_toboolean(L, -1) != 0;
    lua_pop(L, has_order ? 1 : 3);
    return before;
}

/// Merges two sorted neighbours of `from` into `to`.
void merge(lua_State* L, int from, int to, lua_Integer left, lua_Integer middle, lua_Integer right) {
    lua_Integer i = left;
    lua_Integer j = middle;
    for (lua_Integer k = left; k < right; ++k) {
        const bool second = i >= middle || (j < right && comes_before(L, from, j, i));
        lua_rawgeti(L, from, second ? j++ : i++);
        lua_rawseti(L, to, k);
    }
}

/// A stable merge sort: at most n log n comparisons, even with an inconsistent order function. Changes the list only at the end, when
/// nothing can fail.
int sort(lua_State* L) {
    const lua_Integer length = plain_length(L, 1);
    if (!lua_isnoneornil(L, 2)) {
        luaL_checktype(L, 2, LUA_TFUNCTION);
    }
    lua_settop(L, 2);
    lua_createtable(L, static_cast<int>(length), 0);
    lua_createtable(L, static_cast<int>(length), 0);
    for (lua_Integer i = 1; i <= length; ++i) {
        charge(L, 1);
        if (lua_rawgeti(L, 1, i) == LUA_TNIL) {
            return luaL_error(L, "item %I of the list is nil", i);
        }
        lua_rawseti(L, 3, i);
    }
    int from = 3;
    int to = 4;
    for (lua_Integer width = 1; width < length; width *= 2) {
        for (lua_Integer left = 1; left <= length; left += 2 * width) {
            merge(L, from, to, left, std::min(left + width, length + 1), std::min(left + 2 * width, length + 1));
        }
        std::swap(from, to);
    }
    for (lua_Integer i = 1; i <= length; ++i) {
        lua_rawgeti(L, from, i);
        lua_rawseti(L, 1, i);
    }
    return 0;
}

}  // namespace

void add_table_functions(lua_State* L) {
    static const luaL_Reg functions[] = {{"concat", concat}, {"insert", insert}, {"pack", pack},    {"remove", remove},
                                         {"sort", sort},     {"unpack", unpack}, {nullptr, nullptr}};
    luaL_setfuncs(L, functions, 0);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
