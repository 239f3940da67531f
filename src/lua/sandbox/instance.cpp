#include "lua/sandbox/instance.hpp"

#include "lua/manifest/field_reader.hpp"
#include "lua/sandbox/activation.hpp"
#include "lua/sandbox/ctx.hpp"
#include "lua/sandbox/values.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

char functions_address = 0;
char ctx_address = 0;

/// What `keep_functions` needs: where the manifest lies, and how many capabilities it has.
struct keeping {
    lua_State* coroutine = nullptr;
    int capabilities = 0;
    const sandbox* limits = nullptr;
};

/// Takes the functions out of the manifest, so that nothing that the plugin does to its table later matters. May raise.
int keep_functions(lua_State* L) {
    const auto& wanted = *static_cast<const keeping*>(lua_touserdata(L, 1));
    lua_pushvalue(wanted.coroutine, 1);
    lua_xmove(wanted.coroutine, L, 1);
    const int manifest_at = lua_gettop(L);
    lua_createtable(L, wanted.capabilities, static_cast<int>(hook_names.size()));
    const int functions = lua_gettop(L);
    push_field(L, manifest_at, "capabilities");
    for (int i = 1; i <= wanted.capabilities; ++i) {
        lua_rawgeti(L, functions + 1, i);
        push_field(L, -1, "run");
        lua_rawseti(L, functions, i);
        lua_pop(L, 1);
    }
    if (push_field(L, manifest_at, "hooks") == LUA_TTABLE) {
        for (std::size_t i = 0; i < hook_names.size(); ++i) {
            push_field(L, functions + 2, hook_names[i]);
            lua_rawseti(L, functions, -1 - static_cast<lua_Integer>(i));
        }
    }
    lua_pushvalue(L, functions);
    lua_rawsetp(L, LUA_REGISTRYINDEX, functions_key());
    push_ctx(L, *wanted.limits);
    lua_rawsetp(L, LUA_REGISTRYINDEX, ctx_key());
    return 0;
}

int put_state(lua_State* L) {
    const auto& kept = *static_cast<const json*>(lua_touserdata(L, 1));
    lua_rawgetp(L, LUA_REGISTRYINDEX, ctx_key());
    push_json(L, kept);
    lua_setfield(L, -2, "state");
    return 0;
}

std::string file_name_of(const std::string& file) {
    const std::size_t slash = file.find_last_of("/\\");
    return slash == std::string::npos ? file : file.substr(slash + 1);
}

}  // namespace

void* functions_key() noexcept {
    return &functions_address;
}

void* ctx_key() noexcept {
    return &ctx_address;
}

result<std::shared_ptr<instance>> instance::load(const plugin_source& source, const sandbox& limits) {
    const result<std::string_view> text = text_to_compile(source);
    if (!text) {
        return text.error();
    }
    std::unique_ptr<guest_state> state = guest_state::open(limits.memory);
    if (!state) {
        return failure{
            .code = errc::too_large, .message = source.file + ": there is no memory for a Lua state", .hint = "Raise `sandbox::memory`."};
    }
    std::shared_ptr<instance> made(new instance(std::move(state), source.file, limits));
    activation loading(made, limits.time);
    loading.load(*text, "@" + file_name_of(source.file));
    const outcome& ended = loading.ended();
    if (ended.what == outcome::kind::stopped) {
        return mistake(source.file, ended.line, "loading " + ended.text,
                       "End the loop, or do the work in `run`: the file itself only describes.");
    }
    if (ended.what == outcome::kind::raised) {
        return mistake(source.file, ended.line, ended.text,
                       !ended.change.empty() ? ended.change
                                             : "Mend this line: it runs when the file is loaded. What is for later belongs into `run`.");
    }
    const source_map lines(source.text);
    result<manifest> declared = read_manifest(loading.coroutine(), 1, source.file, lines);
    if (!declared) {
        return declared.error();
    }
    made->declared_ = *std::move(declared);
    keeping kept{loading.coroutine(), static_cast<int>(made->declared_.capabilities.size()), &made->limits_};
    if (!made->state().protect(keep_functions, &kept)) {
        return mistake(source.file, 1, "loading needed more than " + std::to_string(limits.memory) + " bytes",
                       "Keep less data in the plugin.");
    }
    return made;
}

result<json> instance::kept_state() {
    lua_State* const L = state_->main();
    lua_settop(L, 0);
    lua_rawgetp(L, LUA_REGISTRYINDEX, ctx_key());
    push_field(L, 1, "state");
    result<json> kept = read_json(L, 2, "ctx.state");
    lua_settop(L, 0);
    if (kept && kept->is_null()) {
        return json(json::object());
    }
    return kept;
}

bool instance::restore_state(const json& kept) {
    return state_->protect(put_state, const_cast<json*>(&kept));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
