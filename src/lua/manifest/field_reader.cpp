#include "lua/manifest/field_reader.hpp"

#include "lua/host/plugin_source.hpp"
#include "lua/manifest/plain_text.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr std::size_t max_description = 1024;
constexpr std::size_t max_name = 48;

bool is_name(std::string_view name) {
    const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
    return !name.empty() && name.size() <= max_name && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

}  // namespace

bool field_reader::refuse(std::string_view path, const std::string& what, std::string change) {
    failed_ = mistake(file_, lines_.line_of(path), what, std::move(change));
    return false;
}

bool field_reader::known_fields(int index, std::string_view path, const std::vector<std::string>& known) {
    for (lua_pushnil(L_); lua_next(L_, index) != 0; lua_pop(L_, 1)) {
        if (lua_type(L_, -2) != LUA_TSTRING) {
            lua_pop(L_, 2);
            return refuse(path, "the table has an item without a name", "Write it as `name = value`.");
        }
        std::size_t size = 0;
        const char* const data = lua_tolstring(L_, -2, &size);
        const std::string name = plain_line(std::string_view(data, size), 60);
        if (std::find(known.begin(), known.end(), std::string_view(data, size)) == known.end()) {
            lua_pop(L_, 2);
            const std::string_view near = pyaichat::detail::nearest_name(name, known);
            std::string all;
            for (const std::string& field : known) {
                all += (all.empty() ? "`" : ", `") + field + "`";
            }
            return refuse(below(path, name), "unknown field `" + name + "`",
                          near.empty() ? "Remove it; the fields here are " + all + "." : "Rename it to `" + std::string(near) + "`.");
        }
    }
    return true;
}

bool field_reader::text(int index, std::string_view path, std::string_view name, std::string& into) {
    const int type = push_field(L_, index, name);
    const std::string found = type_at_top();
    if (type == LUA_TSTRING) {
        std::size_t size = 0;
        const char* const data = lua_tolstring(L_, -1, &size);
        into.assign(data, std::min<std::size_t>(size, max_description + 1));
    }
    lua_pop(L_, 1);
    if (type != LUA_TNIL && type != LUA_TSTRING) {
        return refuse(below(path, name), "`" + std::string(name) + "` is a " + found, "Make it a string in quotes.");
    }
    if (into.size() > max_description) {
        return refuse(below(path, name), "`" + std::string(name) + "` is longer than 1024 bytes", "Shorten it.");
    }
    if (!pyaichat::detail::is_utf8(into) || has_unseen(into)) {
        return refuse(below(path, name), "`" + std::string(name) + "` has control characters or invisible characters, or is not UTF-8",
                      "Write it in one line of plain text.");
    }
    return true;
}

bool field_reader::name_of(int index, std::string_view path, std::string& into) {
    if (!text(index, path, "name", into)) {
        return false;
    }
    return is_name(into) ||
           refuse(below(path, "name"), into.empty() ? "`name` is missing" : "`name` is `" + pyaichat::detail::one_line(into, 60) + "`",
                  "Write `name = \"...\"` with at most 48 lowercase letters, digits and `_`, beginning with a letter.");
}

int push_field(lua_State* L, int index, std::string_view name) noexcept {
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        std::size_t size = 0;
        if (lua_type(L, -2) == LUA_TSTRING) {
            const char* const data = lua_tolstring(L, -2, &size);
            if (std::string_view(data, size) == name) {
                lua_remove(L, -2);
                return lua_type(L, -1);
            }
        }
    }
    lua_pushnil(L);
    return LUA_TNIL;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
