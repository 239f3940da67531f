#include "lua/library/pattern_matcher.hpp"
#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/guest.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cstring>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The string or number at `index` as text. Raises if it is another value.
std::string_view text_argument(lua_State* L, int index) {
    luaL_checkstring(L, index);  // converts a number
    return string_at(L, index);
}

int repeat(lua_State* L) {
    const std::string_view text = text_argument(L, 1);
    const lua_Integer count = luaL_checkinteger(L, 2);
    const std::string_view gap = lua_isnoneornil(L, 3) ? "" : text_argument(L, 3);
    const std::size_t each = text.size() + gap.size();  // Lua strings are too short for an overflow
    if (count <= 0 || each == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    constexpr lua_Integer too_many = max_string + 2;  // repetitions of any text and gap are too long
    const std::size_t total = static_cast<std::size_t>(std::min(count, too_many)) * each - gap.size();
    if (total > max_string) {
        return luaL_error(L, "the repeated string would be too long");
    }
    charge(L, 1 + static_cast<std::uint64_t>(count) / 8 + total / 64);
    luaL_Buffer repeated;
    char* at = luaL_buffinitsize(L, &repeated, total);
    for (lua_Integer i = 1; i <= count; ++i) {
        std::memcpy(at, text.data(), text.size());
        at += text.size();
        if (i < count) {
            std::memcpy(at, gap.data(), gap.size());
            at += gap.size();
        }
    }
    luaL_pushresultsize(&repeated, total);
    return 1;
}

/// Lua's own `format` (the upvalue), without `%p` and without addresses in `%s`.
int format(lua_State* L) {
    const std::string_view pattern = text_argument(L, 1);
    const char* at = pattern.data();
    const char* const end = at + pattern.size();
    std::size_t total = pattern.size();
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

/// The first place of `needle` in `text` at or after `from`, or `npos`. Unlike `find`, charges each step.
std::size_t search(lua_State* L, std::string_view text, std::size_t from, std::string_view needle) {
    if (needle.empty()) {
        return from;
    }
    for (; from + needle.size() <= text.size(); ++from) {
        const std::size_t first = std::min(text.find(needle[0], from), text.size());
        charge(L, 1 + (first - from) / 64 + needle.size() / 16);
        if (text.substr(first).starts_with(needle)) {
            return first;
        }
        from = first;
    }
    return std::string_view::npos;
}

template <bool Find>
int find_or_match(lua_State* L) {
    const std::string_view text = text_argument(L, 1);
    const std::string_view pattern = text_argument(L, 2);
    const std::size_t from = start_at(luaL_optinteger(L, 3, 1), text.size());
    charge(L, 4);
    if (from > text.size()) {
        lua_pushnil(L);
        return 1;
    }
    if (Find && (lua_toboolean(L, 4) != 0 || pattern.find_first_of("^$*+?.([%-") == std::string_view::npos)) {
        const std::size_t found = search(L, text, from, pattern);
        if (found == std::string_view::npos) {
            lua_pushnil(L);
            return 1;
        }
        lua_pushinteger(L, static_cast<lua_Integer>(found) + 1);
        lua_pushinteger(L, static_cast<lua_Integer>(found) + static_cast<lua_Integer>(pattern.size()));
        return 2;
    }
    pattern_matcher matcher(L, text, pattern, true);
    const char* s = text.data() + from;
    do {
        charge(L, 1);
        if (const char* const e = matcher.run(s)) {
            if (!Find) {
                return matcher.push_captures(s, e);
            }
            lua_pushinteger(L, s - matcher.text + 1);
            lua_pushinteger(L, e - matcher.text);
            return matcher.push_captures(nullptr, nullptr) + 2;
        }
    } while (s++ != matcher.text_end && !matcher.anchored);
    lua_pushnil(L);
    return 1;
}

/// Upvalues: text, pattern, next offset, end of the last match (-1 = none).
int next_match(lua_State* L) {
    pattern_matcher matcher(L, string_at(L, lua_upvalueindex(1)), string_at(L, lua_upvalueindex(2)), false);
    const lua_Integer last = lua_tointeger(L, lua_upvalueindex(4));
    for (const char* s = matcher.text + lua_tointeger(L, lua_upvalueindex(3)); s <= matcher.text_end; ++s) {
        charge(L, 1);
        const char* const e = matcher.run(s);
        if (e != nullptr && e - matcher.text != last) {
            lua_pushinteger(L, e - matcher.text);
            lua_copy(L, -1, lua_upvalueindex(3));
            lua_replace(L, lua_upvalueindex(4));
            return matcher.push_captures(s, e);
        }
    }
    return 0;
}

int gmatch(lua_State* L) {
    const std::size_t size = text_argument(L, 1).size();
    luaL_checkstring(L, 2);
    const std::size_t from = start_at(luaL_optinteger(L, 3, 1), size);
    lua_settop(L, 2);
    lua_pushinteger(L, static_cast<lua_Integer>(std::min(from, size + 1)));
    lua_pushinteger(L, -1);
    lua_pushcclosure(L, next_match, 4);
    return 1;
}

/// Adds a replacement text, in which `%1` is a capture, `%0` the whole match and `%%` a percent sign.
void add_template(const pattern_matcher& m, luaL_Buffer* built, const char* s, const char* e) {
    std::string_view rest = string_at(m.L, 3);
    charge(m.L, 1 + rest.size() / 16);
    for (;;) {
        const std::size_t sign = std::min(rest.find('%'), rest.size());
        luaL_addlstring(built, std::to_address(rest.begin()), sign);
        rest.remove_prefix(sign);
        if (rest.empty()) {
            return;
        }
        const char what = rest.size() > 1 ? rest[1] : '\0';
        if (what == '%') {
            luaL_addchar(built, '%');
        } else if (what == '0') {
            luaL_addlstring(built, s, static_cast<std::size_t>(e - s));
        } else if (pyaichat::detail::is_digit(what)) {
            m.push_capture(what - '1', s, e);
            luaL_tolstring(m.L, -1, nullptr);  // the capture is a string or an integer
            lua_remove(m.L, -2);
            luaL_addvalue(built);
        } else {
            luaL_error(m.L, "'%%' in a replacement is followed by a digit or another '%%'");
        }
        rest.remove_prefix(2);
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
    const std::string_view text = text_argument(L, 1);
    const std::string_view pattern = text_argument(L, 2);
    const int kind = lua_type(L, 3);
    luaL_argexpected(L, kind == LUA_TNUMBER || kind == LUA_TSTRING || kind == LUA_TFUNCTION || kind == LUA_TTABLE, 3,
                     "string, table or function");
    if (kind == LUA_TNUMBER) {
        lua_tostring(L, 3);
    }
    const lua_Integer most = luaL_optinteger(L, 4, static_cast<lua_Integer>(text.size()) + 1);
    pattern_matcher matcher(L, text, pattern, true);
    const char* s = text.data();
    const char* last = nullptr;
    lua_Integer replaced = 0;
    luaL_Buffer built;
    luaL_buffinit(L, &built);
    while (replaced < most) {
        charge(L, 2);
        const char* const e = matcher.run(s);
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
        if (matcher.anchored) {
            break;
        }
    }
    luaL_addlstring(&built, s, static_cast<std::size_t>(matcher.text_end - s));
    luaL_pushresult(&built);
    lua_pushinteger(L, replaced);
    return 2;
}

}  // namespace

void add_string_functions(lua_State* L) {
    static const luaL_Reg functions[] = {{"find", find_or_match<true>},   {"gmatch", gmatch}, {"gsub", gsub},
                                         {"match", find_or_match<false>}, {"rep", repeat},    {nullptr, nullptr}};
    lua_pushcclosure(L, format, 1);
    lua_setfield(L, -2, "format");
    luaL_setfuncs(L, functions, 0);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
