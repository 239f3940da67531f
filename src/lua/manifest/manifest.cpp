#include "lua/manifest/manifest.hpp"

#include "lua/host/plugin_source.hpp"
#include "lua/manifest/field_reader.hpp"
#include "lua/manifest/plain_text.hpp"
#include "lua/sandbox/values.hpp"
#include "message/capability_name.hpp"

#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr std::size_t max_capabilities = 64;
constexpr std::size_t max_uses = 64;

/// Values may stay on Lua's stack, until `read_manifest` removes them.
class manifest_reader : public field_reader {
public:
    using field_reader::field_reader;

    bool run(int index) {
        static const std::vector<std::string> known{"name", "api", "version", "description", "uses", "capabilities", "hooks"};
        std::string description;  // only checked
        if (!known_fields(index, "", known) || !api(index) || !name_of(index, "", parsed_.name) ||
            !text(index, "", "version", parsed_.version) || !text(index, "", "description", description) || !uses(index) ||
            !capabilities(index) || !hooks(index)) {
            return false;
        }
        parsed_.line = lines_.line_of("name");
        return !parsed_.capabilities.empty() || parsed_.hooks.any() ||
               refuse("", "the plugin declares neither capabilities nor hooks", "Add `capabilities = { ... }` or `hooks = { ... }`.");
    }

    [[nodiscard]] manifest& parsed() noexcept { return parsed_; }

private:
    bool api(int index) {
        const int type = push_field(L_, index, "api");
        return (type == LUA_TNUMBER && lua_tonumber(L_, -1) == 1) ||
               refuse("api", type == LUA_TNIL ? "`api` is missing" : "this `api` is not known", "Write `api = 1`.");
    }

    bool uses(int index) {
        const char* const change = "Write the names of capabilities: `uses = { \"get_repr\" }`.";
        if (push_field(L_, index, "uses") == LUA_TNIL) {
            return true;
        }
        const result<json> names = read_json(L_, -1, "uses", nullptr, {.keys = max_uses, .bytes = max_uses * 64});
        if (!names || !(names->is_array() || (names->is_object() && names->empty()))) {
            return refuse("uses", "`uses` is not a list of names", change);
        }
        for (const json& item : *names) {
            const std::optional<std::string_view> name = as_string(item);
            if (!name) {
                return refuse("uses", "`uses` is not a list of names", change);
            }
            if (!pyaichat::detail::is_capability_name(*name)) {
                return refuse("uses", "`" + plain_line(*name, 60) + "` in `uses` is not a valid capability name", change);
            }
            if (std::find(parsed_.uses.begin(), parsed_.uses.end(), *name) != parsed_.uses.end()) {
                return refuse("uses", "`uses` names `" + std::string(*name) + "` twice", "Name it once.");
            }
            parsed_.uses.emplace_back(*name);
        }
        return true;
    }

    bool capabilities(int index) {
        const int type = push_field(L_, index, "capabilities");
        if (type == LUA_TNIL) {
            return true;
        }
        if (type != LUA_TTABLE) {
            return refuse("capabilities", "`capabilities` is a " + type_at_top(),
                          "Make it a list of tables: `capabilities = { { ... }, ... }`.");
        }
        const int list = lua_gettop(L_);
        const lua_Unsigned count = lua_rawlen(L_, list);
        if (count > max_capabilities) {
            return refuse("capabilities", "`capabilities` has more than 64 items", "Split the plugin.");
        }
        lua_Unsigned entries = 0;
        for (lua_pushnil(L_); lua_next(L_, list) != 0; lua_pop(L_, 1)) {
            if (count == 0) {
                return refuse(below("capabilities", string_at(L_, -2)), "`capabilities` is not a list",
                              "Write a list of tables: `capabilities = { { name = \"...\", ... }, ... }`.");
            }
            ++entries;
        }
        if (entries != count) {
            return refuse("capabilities", "`capabilities` is a list with holes, or has named fields",
                          "Number the items from 1 without gaps: `capabilities = { { ... }, { ... } }`.");
        }
        for (lua_Unsigned i = 1; i <= count; ++i) {
            if (!capability(list, i)) {
                return false;
            }
        }
        return true;
    }

    bool capability(int list, lua_Unsigned number) {
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
        for (const declared_capability& other : parsed_.capabilities) {
            if (other.spec.name == spec.name) {
                return refuse(path + ".name",
                              "a capability called `" + spec.name + "` is already declared in line " + std::to_string(other.line),
                              "Give one of them another name.");
            }
        }
        if (pyaichat::detail::is_blank(spec.description)) {
            return refuse(path, "`" + spec.name + "` has no description", "Describe in a sentence what it does: `description = \"...\"`.");
        }
        if (const int run = push_field(L_, at, "run"); run != LUA_TFUNCTION) {
            return refuse(run == LUA_TNIL ? path : path + ".run",
                          run == LUA_TNIL ? "`" + spec.name + "` has no `run`" : "`run` of `" + spec.name + "` is a " + type_at_top(),
                          "Write `run = function(args, ctx) ... end`.");
        }
        std::optional<compiled_schema> arguments = schema(at, path, "parameters", spec.parameters);
        json returns;
        if (!arguments || !schema(at, path, "returns", returns)) {
            return false;
        }
        lua_settop(L_, at - 1);
        parsed_.capabilities.push_back({std::move(spec), *std::move(arguments), std::move(returns), lines_.line_of(path + ".name")});
        return true;
    }

    bool effects_of(int at, const std::string& path, capability_spec& spec) {
        std::string word;
        if (!text(at, path, "effects", word)) {
            return false;
        }
        return word.empty() || pyaichat::detail::read_word(word, spec.effects) ||
               refuse(path + ".effects", "`effects` is `" + pyaichat::detail::one_line(word, 60) + "`",
                      "Write \"read\" (changes nothing), \"idempotent\" (can be repeated safely) or \"once\".");
    }

    bool timeout_of(int at, const std::string& path, capability_spec& spec) {
        const int type = push_field(L_, at, "timeout");
        if (type == LUA_TNIL) {
            return true;
        }
        const double seconds = type == LUA_TNUMBER ? lua_tonumber(L_, -1) : 0;
        if (!(seconds > 0 && seconds <= 3600)) {
            return refuse(path + ".timeout", "`timeout` is not a number of seconds above zero and at most 3600", "Write `timeout = 5`.");
        }
        spec.timeout = std::chrono::duration_cast<duration>(std::chrono::duration<double>(seconds));
        return true;
    }

    bool hooks(int index) {
        static const std::vector<std::string> known(hook_names.begin(), hook_names.end());
        const int type = push_field(L_, index, "hooks");
        const int at = lua_gettop(L_);
        if (type == LUA_TNIL) {
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
            parsed_.hooks[i] = found == LUA_TFUNCTION;
        }
        return true;
    }

    manifest parsed_;
};

}  // namespace

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
    manifest_reader reader(L, file, lines);
    const bool valid = reader.run(index);
    lua_settop(L, top);
    return valid ? result<manifest>(std::move(reader.parsed())) : *reader.failed();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
