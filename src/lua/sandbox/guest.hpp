#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The limit that a plugin has exceeded. Its state is never entered again.
enum class violation : unsigned char { none, instructions, time, memory };

/// The longest string that a plugin can create. No hook can interrupt one instruction that compares, concatenates or collates strings, so
/// their length is limited.
inline constexpr std::size_t max_string = std::size_t{1} << 20;

/// The accounting of a Lua state, for the functions that Lua calls. Plain data, because Lua errors skip the frames that use it.
struct guest {
    using clock = std::chrono::steady_clock;

    std::size_t memory_cap = 0;
    std::size_t memory_used = 0;
    std::size_t pressure = 0;  ///< bytes allocated since the last check

    int granularity = 1000;         ///< instructions between two checks
    std::uint64_t unchecked = 0;    ///< cost since the last check
    std::uint64_t budget_left = 0;  ///< in instructions
    clock::time_point until = {};

    violation broken = violation::none;
    int broken_at = 0;  ///< line of the plugin; 0 = unknown

    lua_State* current = nullptr;  ///< the coroutine that runs now; null outside
    bool calling_out = false;      ///< the coroutine yields to the host, for `ctx.call`
    void* job = nullptr;           ///< the `activation` that runs
    lua_Integer seed = 0;          ///< for `math.random`
};

/// The `guest` of a state or of any of its coroutines.
[[nodiscard]] inline guest& guest_of(lua_State* L) noexcept {
    return **static_cast<guest**>(lua_getextraspace(L));
}

/// Installs the hook in this coroutine, with the granularity of its `guest`.
void watch(lua_State* L) noexcept;

/// The line of the innermost Lua function that runs in this coroutine; 0 = unknown.
[[nodiscard]] int current_line(lua_State* L) noexcept;

/// Stores the exceeded limit and its line. Only the first violation is stored.
void break_guest(lua_State* L, violation what) noexcept;

/// Leaves Lua after a violation. It yields over all protected calls at once if it can, because unwinding a deep recursion of `pcall` takes
/// quadratic time. Otherwise it raises an error, which `pcall`, `xpcall` and `resume` pass on. It returns only into a hook, which must
/// return then.
int raise_broken(lua_State* L);

/// Checks the budget and the clock. May raise.
void look(lua_State* L);

/// Charges work that the hook does not see. Every C function that a plugin can call must use it, unless its work is small and fixed. May
/// raise.
inline void charge(lua_State* L, std::uint64_t cost) {
    guest& at = guest_of(L);
    at.unchecked += cost;
    if (at.unchecked >= 1000) {
        look(L);
    }
}

/// Owns one Lua state with limited memory and the environment of a plugin.
class guest_state {
public:
    /// Creates a state. Null if `memory`, in bytes, is too small for an empty one.
    [[nodiscard]] static std::unique_ptr<guest_state> open(std::size_t memory);
    guest_state(const guest_state&) = delete;
    guest_state& operator=(const guest_state&) = delete;
    ~guest_state() { close(); }

    /// Frees all memory now. The Lua state must not be used afterwards.
    void close() noexcept;

    /// The main coroutine, which never runs code of the plugin. Null after `close`.
    [[nodiscard]] lua_State* main() const noexcept { return main_; }
    [[nodiscard]] guest& info() noexcept { return info_; }

    /// Whether the state may be entered.
    [[nodiscard]] bool usable() const noexcept { return main_ != nullptr && info_.broken == violation::none; }

    /// Runs `body`, code of the host that may raise, on the main coroutine with `data` as its only argument and without a time limit.
    /// Returns false if it raised: the memory is exhausted and the state is broken.
    [[nodiscard]] bool protect(lua_CFunction body, void* data) noexcept;

private:
    guest_state() = default;

    guest info_ = {};
    lua_State* main_ = nullptr;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
