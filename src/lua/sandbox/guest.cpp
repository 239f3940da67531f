#include "lua/sandbox/guest.hpp"

#include "lua/sandbox/environment.hpp"

#include <algorithm>
#include <cstdlib>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr int usual_granularity = 1000;
constexpr int finest_granularity = 16;
constexpr std::size_t harmless_block = std::size_t{128} << 10;
constexpr std::size_t pressure_per_look = std::size_t{256} << 10;
/// Smaller blocks are not counted, because each takes an instruction or two, which are counted.
constexpr std::size_t heavy_block = 4096;
/// The number of moved bytes that cost as much as an instruction.
constexpr std::size_t bytes_per_instruction = 64;

/// One instruction may walk a whole block (a chain in a table, the arguments of a call, the slow collation of a string), so larger blocks
/// are checked more often.
int granularity_for(std::size_t bytes, bool is_string) noexcept {
    const std::size_t weight = is_string ? bytes * 8 : bytes;
    if (weight <= harmless_block) {
        return usual_granularity;
    }
    return std::max<int>(finest_granularity, static_cast<int>(usual_granularity * harmless_block / weight));
}

/// Charges the cost since the last check; returns false if a limit is exceeded.
bool within_limits(lua_State* L) noexcept {
    guest& at = guest_of(L);
    const std::uint64_t cost = at.unchecked;
    at.unchecked = 0;
    if (cost >= at.budget_left) {
        at.budget_left = 0;
        break_guest(L, violation::instructions);
    } else {
        at.budget_left -= cost;
        if (guest::clock::now() >= at.until) {
            break_guest(L, violation::time);
        }
    }
    return at.broken == violation::none;
}

void on_count(lua_State* L, lua_Debug*) {
    guest_of(L).unchecked += static_cast<std::uint64_t>(lua_gethookcount(L));
    watch(L);  // the granularity may have changed
    look(L);
}

/// The allocator of a state, with a `guest` as its user data. Refuses to exceed `memory_cap`; always shrinks and frees. After large
/// allocations the hook checks the limits at the next instruction; after a large block it checks more often from then on.
void* allocate(void* user, void* block, std::size_t old_size, std::size_t new_size) noexcept {
    guest& at = *static_cast<guest*>(user);
    if (new_size == 0) {
        std::free(block);
        at.memory_used -= block != nullptr ? old_size : 0;
        return nullptr;
    }
    const bool is_string = block == nullptr && old_size == LUA_TSTRING;  // for a new block, `old_size` is its type
    const std::size_t had = block != nullptr ? old_size : 0;
    if (new_size > had) {
        if (at.memory_used + (new_size - had) > at.memory_cap || (is_string && new_size > max_string + 64)) {
            if (at.current != nullptr) {
                // Lua now collects all garbage and tries again, which takes time for all its memory.
                at.unchecked += at.memory_used / bytes_per_instruction;
                lua_sethook(at.current, on_count, LUA_MASKCOUNT, 1);
            }
            return nullptr;
        }
        at.granularity = std::min(at.granularity, granularity_for(new_size, is_string));
        at.pressure += new_size >= heavy_block ? new_size : 0;
        if (at.pressure >= pressure_per_look && at.current != nullptr) {
            at.unchecked += at.pressure / bytes_per_instruction;
            at.pressure = 0;
            lua_sethook(at.current, on_count, LUA_MASKCOUNT, 1);
        }
    }
    void* const moved = std::realloc(block, new_size);
    if (moved == nullptr) {
        return new_size <= had ? block : nullptr;  // Lua requires that shrinking succeeds
    }
    at.memory_used += new_size - had;
    return moved;
}

}  // namespace

void watch(lua_State* L) noexcept {
    const int granularity = guest_of(L).granularity;
    if (lua_gethookcount(L) != granularity || lua_gethookmask(L) != LUA_MASKCOUNT) {
        lua_sethook(L, on_count, LUA_MASKCOUNT, granularity);
    }
}

int current_line(lua_State* L) noexcept {
    lua_Debug frame;
    for (int level = 0; level < 16 && lua_getstack(L, level, &frame) != 0; ++level) {
        if (lua_getinfo(L, "l", &frame) != 0 && frame.currentline > 0) {
            return frame.currentline;
        }
    }
    return 0;
}

void break_guest(lua_State* L, violation what) noexcept {
    guest& at = guest_of(L);
    if (at.broken == violation::none) {
        at.broken = what;
        at.granularity = 1;
        at.broken_at = current_line(L);
    }
}

int raise_broken(lua_State* L) {
    static char stopped = 0;
    watch(L);
    if (lua_isyieldable(L) != 0) {
        return lua_yield(L, 0);
    }
    lua_pushlightuserdata(L, &stopped);  // needs no memory
    return lua_error(L);
}

void look(lua_State* L) {
    if (!within_limits(L)) {
        raise_broken(L);
    }
}

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
