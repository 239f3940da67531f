#include "lua/sandbox/guest_state.hpp"

#include "lua/sandbox/environment.hpp"

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

std::unique_ptr<guest_state> guest_state::open(std::size_t memory) {
    std::unique_ptr<guest_state> state(new guest_state);
    state->info_.memory_cap = memory;
    state->info_.seed = static_cast<lua_Integer>(guest::clock::now().time_since_epoch().count());
    state->main_ = lua_newstate(allocate, &state->info_);
    if (state->main_ == nullptr) {
        return nullptr;
    }
    *static_cast<guest**>(lua_getextraspace(state->main_)) = &state->info_;  // new coroutines inherit it
    watch(state->main_);                                                     // and the hook
    state->info_.budget_left = UINT64_MAX;
    state->info_.until = guest::clock::time_point::max();
    return state->protect(open_environment, nullptr) ? std::move(state) : nullptr;
}

void guest_state::close() noexcept {
    if (main_ != nullptr) {
        info_.current = nullptr;
        lua_close(main_);
        main_ = nullptr;
    }
}

bool guest_state::protect(lua_CFunction body, void* data) noexcept {
    lua_settop(main_, 0);
    info_.budget_left = UINT64_MAX;
    info_.until = guest::clock::time_point::max();
    lua_pushcfunction(main_, body);
    lua_pushlightuserdata(main_, data);
    if (lua_pcall(main_, 1, 0, 0) == LUA_OK) {
        return true;
    }
    break_guest(main_, violation::memory);
    lua_settop(main_, 0);
    return false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
