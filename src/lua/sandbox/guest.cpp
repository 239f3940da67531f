#include "lua/sandbox/guest.hpp"

#include <algorithm>
#include <cstdlib>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr int usual_granularity = 1000;
constexpr int finest_granularity = 16;
constexpr std::size_t harmless_block = std::size_t{128} << 10;
constexpr std::size_t pressure_per_look = std::size_t{256} << 10;
/// Smaller blocks are no more than one for an instruction or two, and those are counted.
constexpr std::size_t heavy_block = 4096;
/// How many bytes to move cost as much as an instruction.
constexpr std::size_t bytes_per_instruction = 64;

/// A single instruction may walk a whole block (a long chain in a table, a stack of arguments, the collation of a string, which is slow),
/// so the larger the blocks of a plugin, the more often it is looked after.
int granularity_for(std::size_t bytes, bool is_string) noexcept {
    const std::size_t weight = is_string ? bytes * 8 : bytes;
    if (weight <= harmless_block) {
        return usual_granularity;
    }
    return std::max<int>(finest_granularity, static_cast<int>(usual_granularity * harmless_block / weight));
}

/// Counts what was done since the last look; false when that was too much.
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
    guest& at = guest_of(L);
    const int counted = lua_gethookcount(L);
    if (counted != at.granularity) {
        watch(L);
    }
    at.unchecked += static_cast<std::uint64_t>(counted);
    if (!within_limits(L)) {
        raise_broken(L);
    }
}

}  // namespace

void* allocate(void* user, void* block, std::size_t old_size, std::size_t new_size) noexcept {
    guest& at = *static_cast<guest*>(user);
    if (new_size == 0) {
        std::free(block);
        at.memory_used -= block != nullptr ? old_size : 0;
        return nullptr;
    }
    const bool is_string = block == nullptr && old_size == LUA_TSTRING;  // of a new block, `old_size` is its kind
    const std::size_t had = block != nullptr ? old_size : 0;
    if (new_size > had) {
        if (at.memory_used + (new_size - had) > at.memory_cap || (is_string && new_size > max_string + 64)) {
            if (at.current != nullptr) {
                // Lua now collects all garbage and tries again, which costs as much as all that it holds.
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
        return new_size <= had ? block : nullptr;  // Lua relies on shrinking
    }
    at.memory_used += new_size - had;
    return moved;
}

void watch(lua_State* L) noexcept {
    const int wanted = guest_of(L).granularity;
    if (lua_gethookcount(L) != wanted || lua_gethookmask(L) != LUA_MASKCOUNT) {
        lua_sethook(L, on_count, LUA_MASKCOUNT, wanted);
    }
}

void break_guest(lua_State* L, violation what) noexcept {
    guest& at = guest_of(L);
    if (at.broken != violation::none) {
        return;
    }
    at.broken = what;
    at.granularity = 1;
    lua_Debug where;
    for (int level = 0; level < 16 && lua_getstack(L, level, &where) != 0; ++level) {
        if (lua_getinfo(L, "l", &where) != 0 && where.currentline > 0) {
            at.broken_at = where.currentline;
            return;
        }
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

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
