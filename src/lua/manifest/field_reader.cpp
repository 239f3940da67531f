#include "lua/manifest/field_reader.hpp"

#include "lua/host/plugin_source.hpp"
#include "lua/manifest/plain_text.hpp"
#include "lua/manifest/schema_slips.hpp"
#include "lua/sandbox/values.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr std::size_t max_description = 1024;
constexpr std::size_t max_name = 48;
/// The limit for validating the arguments of one call, about 50 ms.
constexpr std::uint64_t most_steps = 1'000'000;

bool is_name(std::string_view name) {
    const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
    return !name.empty() && name.size() <= max_name && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || pyaichat::detail::is_digit(c) || c == '_'; });
}

/// The place of a schema error in the manifest, from the JSON Pointer in the compiler's message: `#/properties/id/type: ...`.
std::string place_in(std::string path, std::string_view message) {
    const std::size_t start = message.find("#/");
    if (start == std::string_view::npos) {
        return path;
    }
    std::string_view rest = message.substr(start + 2);
    rest = rest.substr(0, rest.find_first_of(": "));
    while (!rest.empty()) {
        const std::string token(rest.substr(0, rest.find('/')));
        rest.remove_prefix(std::min(token.size() + 1, rest.size()));
        const bool index = !token.empty() && token.size() < 6 && std::all_of(token.begin(), token.end(), pyaichat::detail::is_digit);
        path += index ? "[" + std::to_string(std::stoi(token) + 1) + "]" : "." + token;
    }
    return path;
}

}  // namespace

bool field_reader::refuse(std::string_view path, const std::string& what, std::string change) {
    failed_ = mistake(file_, lines_.line_of(path), what, std::move(change));
    return false;
}

bool field_reader::known_fields(int index, std::string_view path, const std::vector<std::string>& known) {
    for (lua_pushnil(L_); lua_next(L_, index) != 0; lua_pop(L_, 1)) {
        if (lua_type(L_, -2) != LUA_TSTRING) {
            return refuse(path, "the table has an item without a name", "Write it as `name = value`.");
        }
        if (std::find(known.begin(), known.end(), string_at(L_, -2)) == known.end()) {
            const std::string name = plain_line(string_at(L_, -2), 60);
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
    if (type != LUA_TNIL && type != LUA_TSTRING) {
        return refuse(below(path, name), "`" + std::string(name) + "` is a " + type_at_top(), "Make it a string in quotes.");
    }
    into = string_at(L_, -1).substr(0, max_description + 1);
    lua_pop(L_, 1);
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

std::optional<compiled_schema> field_reader::schema(int index, const std::string& path, const std::string& name, json& into) {
    const std::string where = path + "." + name;
    const bool missing = push_field(L_, index, name) == LUA_TNIL;
    if ((!missing && !schema_at_top(where, name, into)) || !in_time(where)) {
        return {};
    }
    lua_pop(L_, 1);
    json any_object = json::object();
    any_object["type"] = "object";
    result<compiled_schema> compiled = compile_schema(missing ? any_object : into, {.max_steps = most_steps});
    if (!compiled) {
        const failure& error = compiled.error();
        const bool hint_repeats_message = error.hint.find("#/") != std::string::npos;
        refuse(place_in(where, error.message), "`" + name + "`: " + plain_line(error.message, 500),
               hint_repeats_message ? "Fix the schema at this place." : plain_line(error.hint, 500));
        return {};
    }
    return *std::move(compiled);
}

bool field_reader::schema_at_top(const std::string& where, const std::string& name, json& into) {
    if (lua_type(L_, -1) != LUA_TTABLE) {
        return refuse(where, "`" + name + "` is a " + type_at_top(),
                      "Make it a JSON Schema: `" + name + " = { type = \"object\", properties = { ... } }`.");
    }
    result<json> read = read_json(L_, -1, where, nullptr, {.keys = keys_left_, .bytes = bytes_left_, .time = time_left()});
    if (!in_time(where)) {
        return false;
    }
    if (!read && read.error().code == errc::too_large) {
        return refuse(where,
                      "the schemas of this file are too large: together they may have " + std::to_string(max_schema_keys) +
                          " members and " + std::to_string(max_schema_bytes) + " bytes of text, in " +
                          std::to_string(value_limits().depth) + " levels",
                      "Declare simpler schemas, or split the plugin.");
    }
    if (!read) {
        const std::string& message = read.error().message;
        return refuse(std::string_view(message).substr(0, message.find(' ')), message, read.error().hint);
    }
    into = *std::move(read);
    const value_size taken = size_of(into);
    keys_left_ -= std::min(taken.keys, keys_left_);
    bytes_left_ -= std::min(taken.bytes, bytes_left_);
    restore_lists(into);
    if (const std::optional<schema_slip> slip = find_schema_slip(into, where)) {
        return refuse(slip->path, slip->what, slip->change);
    }
    if (name == "parameters" && (!into.is_object() || string_member(into, "type") != "object")) {
        return refuse(where, "`parameters` is not the schema of an object", "Begin it with `type = \"object\"`.");
    }
    return true;
}

/// Returns false, with a failure, if no time is left.
bool field_reader::in_time(const std::string& where) {
    return time_left() > duration::zero() ||
           refuse(where, "the schemas of this file take too long to compile", "Declare simpler schemas, or split the plugin.");
}

duration field_reader::time_left() const {
    return std::max<duration>(until_ - std::chrono::steady_clock::now(), duration::zero());
}

int push_field(lua_State* L, int index, std::string_view name) noexcept {
    index = lua_absindex(L, index);
    for (lua_pushnil(L); lua_next(L, index) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING && string_at(L, -2) == name) {
            lua_remove(L, -2);
            return lua_type(L, -1);
        }
    }
    lua_pushnil(L);
    return LUA_TNIL;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
