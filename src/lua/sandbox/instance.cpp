#include "lua/sandbox/instance.hpp"
#include "core/fingerprint.hpp"

#include "lua/manifest/field_reader.hpp"
#include "lua/sandbox/activation.hpp"
#include "lua/sandbox/environment.hpp"
#include "lua/sandbox/values.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The arguments of `store_functions`. The manifest is at index 1 of `coroutine`.
struct functions_source {
    lua_State* coroutine = nullptr;
    const sandbox* limits = nullptr;
};

/// Copies the functions of the manifest into the registry, so that later changes of the table have no effect. May raise.
int store_functions(lua_State* L) {
    const auto& source = *static_cast<const functions_source*>(lua_touserdata(L, 1));
    lua_pushvalue(source.coroutine, 1);
    lua_xmove(source.coroutine, L, 1);
    const int manifest_at = lua_gettop(L);
    lua_newtable(L);
    const int functions = lua_gettop(L);
    push_field(L, manifest_at, "capabilities");
    const auto capabilities = static_cast<lua_Integer>(lua_rawlen(L, -1));
    for (lua_Integer i = 1; i <= capabilities; ++i) {
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
    lua_rawsetp(L, LUA_REGISTRYINDEX, &functions_key);
    push_ctx(L, *source.limits);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &ctx_key);
    return 0;
}

int put_state(lua_State* L) {
    const auto& saved = *static_cast<const json*>(lua_touserdata(L, 1));
    lua_rawgetp(L, LUA_REGISTRYINDEX, &ctx_key);
    push_json(L, saved);
    lua_setfield(L, -2, "state");
    return 0;
}

}  // namespace

result<std::shared_ptr<instance>> instance::load(const plugin_source& source, const sandbox& limits) {
    const result<std::string_view> text = text_to_compile(source);
    if (!text) {
        return text.error();
    }
    std::unique_ptr<guest_state> state = guest_state::open(limits.memory);
    if (!state) {
        return failure{.code = errc::too_large,
                       .message = source.file + ":1: `sandbox::memory` is too small for a Lua state",
                       .hint = "Raise `sandbox::memory`."};
    }
    std::shared_ptr<instance> loaded(new instance(std::move(state), source.file, limits));
    activation loading(loaded, limits.time);
    loading.load(*text, "@" + source.file.substr(source.file.find_last_of("/\\") + 1));
    const outcome& ended = loading.ended();
    if (ended.what == outcome::kind::stopped) {
        return mistake(source.file, ended.line, "loading " + ended.text,
                       "End the loop, or do the work in `run`: the file itself should only return its table.");
    }
    if (ended.what == outcome::kind::raised) {
        return mistake(
            source.file, ended.line, ended.text,
            !ended.change.empty() ? ended.change : "Fix this line: it runs when the file is loaded. Put code for later into `run`.");
    }
    const source_map lines(source.text);
    result<manifest> declared = read_manifest(loading.coroutine(), 1, source.file, lines);
    if (!declared) {
        return declared.error();
    }
    for (declared_capability& one : declared->capabilities) {
        one.spec.revision = pyaichat::detail::hexadecimal(pyaichat::detail::fingerprint(source.text));
    }
    loaded->declared_ = *std::move(declared);
    functions_source functions{loading.coroutine(), &loaded->limits_};
    if (!loaded->state().protect(store_functions, &functions)) {
        return mistake(source.file, 1, "loading needed more than " + std::to_string(limits.memory) + " bytes",
                       "Keep less data in the plugin.");
    }
    return loaded;
}

result<json> instance::saved_state() {
    lua_State* const L = state_->main();
    lua_settop(L, 0);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &ctx_key);
    push_field(L, 1, "state");
    result<json> saved = read_json(L, 2, "ctx.state");
    lua_settop(L, 0);
    if (saved && saved->is_null()) {
        return json(json::object());
    }
    return saved;
}

bool instance::restore_state(const json& saved) {
    return state_->protect(put_state, const_cast<json*>(&saved));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
