#include "lua/manifest.hpp"

#include "lua/plain_text.hpp"
#include "lua/schema_lists.hpp"
#include "lua/values.hpp"
#include "message/capability_name.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace pyaichat::inline v0::lua::detail {

namespace {

constexpr std::size_t max_description = 1024;
constexpr std::size_t max_name = 48;
constexpr std::size_t max_capabilities = 64;
constexpr std::size_t max_uses = 64;
// Of all schemas of a manifest together: reading and compiling them is no work of Lua's, which the sandbox would count.
constexpr std::size_t max_schema_keys = 10'000;
constexpr std::size_t max_schema_bytes = std::size_t{256} << 10;
constexpr duration max_schema_time = std::chrono::milliseconds(250);
/// For validating one call's arguments: some 50 ms at most.
constexpr std::uint64_t most_steps = 1'000'000;

bool is_name(std::string_view name) {
    const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
    return !name.empty() && name.size() <= max_name && letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

/// Where in the manifest a schema is wrong: the compiler's message names the place as a JSON Pointer, `#/properties/id/type: ...`.
std::string place_in(std::string path, std::string_view message) {
    const std::size_t start = message.find("#/");
    if (start == std::string_view::npos) {
        return path;
    }
    std::string_view rest = message.substr(start + 2);
    rest = rest.substr(0, rest.find_first_of(": "));
    while (!rest.empty()) {
        const std::string_view token = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(token.size() + 1, rest.size()));
        const bool index = !token.empty() && std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
        path += index && token.size() < 6 ? "[" + std::to_string(std::stoi(std::string(token)) + 1) + "]" : "." + std::string(token);
    }
    return path;
}

class manifest_reader {
public:
    manifest_reader(lua_State* L, std::string_view file, const source_map& lines) : L_(L), file_(file), lines_(lines) {}

    result<manifest> run(int index) {
        static const std::vector<std::string> known{"name", "api", "version", "description", "uses", "capabilities", "hooks"};
        manifest made;
        if (!known_fields(index, "", known) || !api(index) || !name_of(index, "", made.name) || !text(index, "", "version", made.version)) {
            return *std::move(failed_);
        }
        made.line = lines_.line_of("name");
        std::string ignored;
        if (!text(index, "", "description", ignored) || !uses(index, made) || !capabilities(index, made) || !hooks(index, made)) {
            return *std::move(failed_);
        }
        if (made.capabilities.empty() && std::find(made.hooks.begin(), made.hooks.end(), true) == made.hooks.end()) {
            refuse("", "the plugin declares neither capabilities nor hooks", "Add `capabilities = { ... }` or `hooks = { ... }`.");
            return *std::move(failed_);
        }
        return made;
    }

private:
    bool refuse(std::string_view path, const std::string& what, std::string change) {
        failed_ = mistake(file_, lines_.line_of(path), what, std::move(change));
        return false;
    }

    [[nodiscard]] static std::string below(std::string_view path, std::string_view name) {
        return path.empty() ? std::string(name) : std::string(path) + "." + std::string(name);
    }

    [[nodiscard]] std::string type_at_top() const { return luaL_typename(L_, -1); }

    /// Every field has a name that is known; a slip is told what it may have been meant to be.
    bool known_fields(int index, std::string_view path, const std::vector<std::string>& known) {
        for (lua_pushnil(L_); lua_next(L_, index) != 0; lua_pop(L_, 1)) {
            if (lua_type(L_, -2) != LUA_TSTRING) {
                lua_pop(L_, 2);
                return refuse(path, "the table has an item without a name", "Write it as `name = value`.");
            }
            std::size_t size = 0;
            const char* const data = lua_tolstring(L_, -2, &size);
            const std::string name = one_line(std::string_view(data, size), 60);
            if (std::find(known.begin(), known.end(), name) == known.end()) {
                lua_pop(L_, 2);
                const std::string_view near = nearest_name(name, known);
                std::string all;
                for (const std::string& one : known) {
                    all += (all.empty() ? "`" : ", `") + one + "`";
                }
                return refuse(below(path, name), "unknown field `" + name + "`",
                              near.empty() ? "Remove it; the fields here are " + all + "." : "Rename it to `" + std::string(near) + "`.");
            }
        }
        return true;
    }

    bool api(int index) {
        const bool number = push_field(L_, index, "api") == LUA_TNUMBER;
        const bool right = number && lua_tonumber(L_, -1) == 1;
        const bool missing = lua_isnil(L_, -1);
        lua_pop(L_, 1);
        return right || refuse("api", missing ? "`api` is missing" : "this `api` is not known", "Write `api = 1`.");
    }

    bool name_of(int index, std::string_view path, std::string& into) {
        if (!text(index, path, "name", into)) {
            return false;
        }
        return is_name(into) || refuse(below(path, "name"), into.empty() ? "`name` is missing" : "`name` is `" + one_line(into, 60) + "`",
                                       "Write `name = \"...\"` with at most 48 small letters, digits and `_`, a letter first.");
    }

    /// An optional text.
    bool text(int index, std::string_view path, std::string_view name, std::string& into) {
        const int type = push_field(L_, index, name);
        const std::string found = type_at_top();
        if (type == LUA_TSTRING) {
            std::size_t size = 0;
            const char* const data = lua_tolstring(L_, -1, &size);
            into.assign(data, std::min<std::size_t>(size, max_description + 1));
        }
        lua_pop(L_, 1);
        if (type != LUA_TNIL && type != LUA_TSTRING) {
            return refuse(below(path, name), "`" + std::string(name) + "` is a " + found, "Make it a text in quotes.");
        }
        if (into.size() > max_description) {
            return refuse(below(path, name), "`" + std::string(name) + "` is longer than 1024 bytes", "Shorten it.");
        }
        if (!is_utf8(into) || has_control(into)) {
            return refuse(below(path, name), "`" + std::string(name) + "` has control characters or is not UTF-8",
                          "Write it in one line of plain text.");
        }
        return true;
    }

    bool uses(int index, manifest& made) {
        const int type = push_field(L_, index, "uses");
        const result<json> names = read_json(L_, -1, "uses", nullptr, {.keys = max_uses, .bytes = max_uses * 64});
        lua_pop(L_, 1);
        if (type == LUA_TNIL) {
            return true;
        }
        const char* const change = "Write the names of capabilities: `uses = { \"get_repr\" }`.";
        if (!names || !(names->is_array() || (names->is_object() && names->empty()))) {
            return refuse("uses", "`uses` is no list of names", change);
        }
        for (const json& one : *names) {
            const std::optional<std::string_view> name = as_string(one);
            if (!name) {
                return refuse("uses", "`uses` is no list of names", change);
            }
            if (!pyaichat::detail::is_capability_name(*name)) {
                return refuse("uses", "`" + plain_line(*name, 60) + "` in `uses` is no name that a capability can have", change);
            }
            if (std::find(made.uses.begin(), made.uses.end(), *name) != made.uses.end()) {
                return refuse("uses", "`uses` names `" + std::string(*name) + "` twice", "Name it once.");
            }
            made.uses.emplace_back(*name);
        }
        return true;
    }

    bool capabilities(int index, manifest& made) {
        const int type = push_field(L_, index, "capabilities");
        const std::string found = type_at_top();
        const int list = lua_gettop(L_);
        bool fine = true;
        if (type == LUA_TTABLE) {
            const lua_Unsigned count = lua_rawlen(L_, list);
            if (count == 0 && (lua_pushnil(L_), lua_next(L_, list)) != 0) {
                const std::string name = lua_type(L_, -2) == LUA_TSTRING ? lua_tostring(L_, -2) : "";
                lua_pop(L_, 2);
                fine = refuse(below("capabilities", name), "`capabilities` is no list",
                              "Write a list of tables: `capabilities = { { name = \"...\", ... }, ... }`.");
            } else if (count > max_capabilities) {
                fine = refuse("capabilities", "`capabilities` has more than 64 items", "Split the plugin.");
            }
            if (fine && entries_of(list) != count) {
                fine = refuse("capabilities", "`capabilities` is a list with holes, or has something beside its items",
                              "Number the items from 1 without gaps: `capabilities = { { ... }, { ... } }`.");
            }
            for (lua_Unsigned i = 1; fine && i <= count; ++i) {
                fine = capability(list, i, made);
            }
        } else if (type != LUA_TNIL) {
            fine = refuse("capabilities", "`capabilities` is a " + found, "Make it a list of tables: `capabilities = { { ... }, ... }`.");
        }
        lua_settop(L_, list - 1);
        return fine;
    }

    [[nodiscard]] lua_Unsigned entries_of(int table) {
        lua_Unsigned count = 0;
        for (lua_pushnil(L_); lua_next(L_, table) != 0; lua_pop(L_, 1)) {
            ++count;
        }
        return count;
    }

    bool capability(int list, lua_Unsigned number, manifest& made) {
        static const std::vector<std::string> known{"name",    "description", "effects", "parameters",
                                                    "returns", "headline",    "timeout", "run"};
        const std::string path = "capabilities[" + std::to_string(number) + "]";
        if (lua_rawgeti(L_, list, static_cast<lua_Integer>(number)) != LUA_TTABLE) {
            return refuse(path, "item " + std::to_string(number) + " of `capabilities` is a " + type_at_top(),
                          "Put each capability in braces: `{ name = \"...\", description = \"...\", run = function(args, ctx) ... end }`.");
        }
        const int at = lua_gettop(L_);
        capability_spec spec;
        spec.from = provenance::file;
        spec.origin = file_;
        if (!known_fields(at, path, known) || !name_of(at, path, spec.name) || !text(at, path, "description", spec.description) ||
            !text(at, path, "headline", spec.headline) || !effects_of(at, path, spec) || !timeout_of(at, path, spec)) {
            return false;
        }
        for (const declared_capability& other : made.capabilities) {
            if (other.spec.name == spec.name) {
                return refuse(path + ".name",
                              "a capability called `" + spec.name + "` is already declared in line " + std::to_string(other.line),
                              "Give one of them another name.");
            }
        }
        if (is_blank(spec.description)) {
            return refuse(path, "`" + spec.name + "` has no description", "Say in a sentence what it does: `description = \"...\"`.");
        }
        if (const bool function = push_field(L_, at, "run") == LUA_TFUNCTION; !function) {
            return refuse(lua_isnil(L_, -1) ? path : path + ".run",
                          lua_isnil(L_, -1) ? "`" + spec.name + "` has no `run`" : "`run` of `" + spec.name + "` is a " + type_at_top(),
                          "Write `run = function(args, ctx) ... end`.");
        }
        std::optional<compiled_schema> arguments = schema(at, path, "parameters", spec.parameters);
        json returns;
        if (!arguments || !schema(at, path, "returns", returns)) {
            return false;
        }
        lua_settop(L_, at - 1);
        const int line = lines_.line_of(path + ".name");
        made.capabilities.push_back({std::move(spec), *std::move(arguments), std::move(returns), line});
        return true;
    }

    bool effects_of(int at, const std::string& path, capability_spec& spec) {
        std::string word;
        if (!text(at, path, "effects", word)) {
            return false;
        }
        for (const effects one : {effects::read, effects::idempotent, effects::once}) {
            if (word == to_string(one)) {
                spec.effects = one;
                return true;
            }
        }
        return word.empty() || refuse(path + ".effects", "`effects` is `" + one_line(word, 60) + "`",
                                      "Write \"read\" (it only looks), \"idempotent\" (twice is as good as once) or \"once\".");
    }

    bool timeout_of(int at, const std::string& path, capability_spec& spec) {
        const int type = push_field(L_, at, "timeout");
        const double seconds = type == LUA_TNUMBER ? lua_tonumber(L_, -1) : 0;
        lua_pop(L_, 1);
        if (type == LUA_TNIL) {
            return true;
        }
        if (!(seconds > 0 && seconds <= 3600)) {
            return refuse(path + ".timeout", "`timeout` is no number of seconds above zero, at most 3600", "Write `timeout = 5`.");
        }
        spec.timeout = std::chrono::duration_cast<duration>(std::chrono::duration<double>(seconds));
        return true;
    }

    /// Reads a schema and compiles it, so that its mistakes are found before it is used.
    std::optional<compiled_schema> schema(int at, const std::string& path, const std::string& name, json& into) {
        const int type = push_field(L_, at, name);
        const std::string where = path + "." + name;
        const std::string found = type_at_top();
        result<json> read = read_json(
            L_, -1, where, nullptr, {.keys = keys_left_, .bytes = bytes_left_, .time = time_left(), .change = "Declare simpler schemas."});
        lua_pop(L_, 1);
        json any_object = json::object();
        any_object["type"] = "object";
        if (type != LUA_TNIL) {
            if (type != LUA_TTABLE) {
                refuse(where, "`" + name + "` is a " + found,
                       "Make it a JSON Schema: `" + name + " = { type = \"object\", properties = { ... } }`.");
                return {};
            }
            if (!read) {
                const std::string& message = read.error().message;
                refuse(std::string_view(message).substr(0, message.find(' ')), message, read.error().hint);
                return {};
            }
            into = *std::move(read);
            const value_size taken = size_of(into);
            keys_left_ -= std::min(taken.keys, keys_left_);
            bytes_left_ -= std::min(taken.bytes, bytes_left_);
            restore_lists(into);
            if (name == "parameters" && (!into.is_object() || string_member(into, "type") != "object")) {
                refuse(where, "`parameters` is no schema of an object", "Begin it with `type = \"object\"`.");
                return {};
            }
        }
        if (time_left() == duration::zero()) {
            refuse(where, "the schemas of this file take too long to compile", "Declare simpler schemas, or split the plugin.");
            return {};
        }
        result<compiled_schema> compiled = compile_schema(into.is_null() ? any_object : into, {.max_steps = most_steps});
        if (!compiled) {
            refuse(place_in(where, compiled.error().message), "`" + name + "`: " + plain_line(compiled.error().message, 500),
                   plain_line(compiled.error().hint, 500));
            return {};
        }
        return *std::move(compiled);
    }

    bool hooks(int index, manifest& made) {
        static const std::vector<std::string> known(hook_names.begin(), hook_names.end());
        const int type = push_field(L_, index, "hooks");
        const int at = lua_gettop(L_);
        if (type == LUA_TNIL) {
            lua_pop(L_, 1);
            return true;
        }
        if (type != LUA_TTABLE) {
            return refuse("hooks", "`hooks` is a " + type_at_top(),
                          "Make it a table of functions: `hooks = { before_call = function(call) ... end }`.");
        }
        if (!known_fields(at, "hooks", known)) {
            return false;
        }
        for (std::size_t i = 0; i < known.size(); ++i) {
            const int found = push_field(L_, at, known[i]);
            if (found != LUA_TNIL && found != LUA_TFUNCTION) {
                return refuse("hooks." + known[i], "`" + known[i] + "` is a " + type_at_top(), "Make it a function.");
            }
            made.hooks[i] = found == LUA_TFUNCTION;
            lua_pop(L_, 1);
        }
        lua_settop(L_, at - 1);
        return true;
    }

    [[nodiscard]] duration time_left() const { return std::max<duration>(until_ - std::chrono::steady_clock::now(), duration::zero()); }

    lua_State* L_;
    std::string_view file_;
    const source_map& lines_;
    std::optional<failure> failed_ = {};
    std::size_t keys_left_ = max_schema_keys;
    std::size_t bytes_left_ = max_schema_bytes;
    const std::chrono::steady_clock::time_point until_ =
        std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(max_schema_time);
};

}  // namespace

failure mistake(std::string_view file, int line, const std::string& what, std::string change) {
    return {.code = errc::invalid_argument,
            .message = std::string(file) + ":" + std::to_string(std::max(line, 1)) + ": " + what,
            .hint = std::move(change)};
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

result<manifest> read_manifest(lua_State* L, int index, std::string_view file, const source_map& lines) {
    if (lua_checkstack(L, 40) == 0) {
        return failure{.code = errc::too_large, .message = std::string(file) + ": Lua's stack is full", .hint = {}};
    }
    const int top = lua_gettop(L);
    index = lua_absindex(L, index);
    if (lua_type(L, index) != LUA_TTABLE) {
        const bool nothing = lua_isnoneornil(L, index);
        return mistake(file, nothing ? lines.last_line() : lines.line_of(""),
                       nothing ? "the file returns nothing" : std::string("the file returns a ") + luaL_typename(L, index),
                       "End it with `return { name = \"...\", api = 1, capabilities = { ... } }`.");
    }
    result<manifest> made = manifest_reader(L, file, lines).run(index);
    lua_settop(L, top);
    return made;
}

}  // namespace pyaichat::inline v0::lua::detail
