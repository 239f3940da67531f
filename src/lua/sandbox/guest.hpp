#pragma once
#include <pyaichat/config/config.hpp>

#include "lua/sandbox/lua_api.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Which limit a plugin has run into. There is no way back from one: the state is never entered again.
enum class violation : unsigned char { none, instructions, time, memory };

/// The longest string that a plugin can make. What Lua does with one string in one instruction (compare, concatenate, collate) no hook can
/// interrupt, so that is bounded by this.
inline constexpr std::size_t max_string = std::size_t{1} << 20;

/// What the functions that Lua calls know of the state that they run in. Plain data: errors pass over every frame that uses it.
struct guest {
    using clock = std::chrono::steady_clock;

    std::size_t memory_cap = 0;
    std::size_t memory_used = 0;
    std::size_t pressure = 0;  ///< bytes asked for since the last look at the clock

    int granularity = 1000;         ///< instructions between two looks
    std::uint64_t unchecked = 0;    ///< cost since the last look
    std::uint64_t budget_left = 0;  ///< in instructions
    clock::time_point until = {};

    violation broken = violation::none;
    int broken_at = 0;  ///< line of the plugin; 0 = not known

    lua_State* current = nullptr;  ///< the coroutine that runs now; null outside
    bool calling_out = false;      ///< the coroutine yields to the host, for `ctx.call`
    void* job = nullptr;           ///< what the host entered for
    lua_Integer seed = 0;          ///< of `math.random`
};

/// Of a state, or of any of its coroutines.
[[nodiscard]] inline guest& guest_of(lua_State* L) noexcept {
    return **static_cast<guest**>(lua_getextraspace(L));
}

/// The allocator of a state, with a `guest` as its user data: refuses to grow past the cap, never refuses to shrink or to free. Much memory
/// moved at once makes the hook look at the clock at the next instruction, and large blocks make it look more often from then on.
void* allocate(void* user, void* block, std::size_t old_size, std::size_t new_size) noexcept;

/// Makes the hook watch this coroutine as often as it has to.
void watch(lua_State* L) noexcept;

/// Says what was violated, and where; only the first time counts.
void break_guest(lua_State* L, violation what) noexcept;

/// Leaves for the host: by a yield, over all protected calls at once, where one is possible (unwinding from a deep recursion of `pcall`
/// takes time that is quadratic in its depth). Else by an error, which `pcall`, `xpcall` and `resume` of this room pass on. It does not
/// return, except into a hook, which has to return then.
int raise_broken(lua_State* L);

/// Looks at the budget and the clock. May raise.
void look(lua_State* L);

/// Counts work that Lua's own hook does not see; every C function that a plugin can reach and that does more than a fixed small amount
/// calls it. May raise.
inline void charge(lua_State* L, std::uint64_t cost) {
    guest& at = guest_of(L);
    at.unchecked += cost;
    if (at.unchecked >= 1000) {
        look(L);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
