#pragma once
#include <pyaichat/config/config.hpp>

#include "lua/sandbox/guest.hpp"

#include <cstddef>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Owns one Lua state with its capped memory and the environment of a plugin.
class guest_state {
public:
    /// Null when `memory` is not enough for an empty one.
    [[nodiscard]] static std::unique_ptr<guest_state> open(std::size_t memory);
    guest_state(const guest_state&) = delete;
    guest_state& operator=(const guest_state&) = delete;
    ~guest_state() { close(); }

    /// Gives all memory back now; nothing of the state may be used afterwards.
    void close() noexcept;

    /// The main coroutine, on which nothing of the plugin's runs. Null when closed.
    [[nodiscard]] lua_State* main() const noexcept { return main_; }
    [[nodiscard]] guest& info() noexcept { return info_; }
    [[nodiscard]] const guest& info() const noexcept { return info_; }

    /// Whether the state may be entered.
    [[nodiscard]] bool usable() const noexcept { return main_ != nullptr && info_.broken == violation::none; }

    /// Runs `body`, which may raise, with `data` as its only argument, on the main coroutine and without a plugin's limits on time; only
    /// for what the host does itself. False when it raised: the memory is at its end, and the state is broken.
    [[nodiscard]] bool protect(lua_CFunction body, void* data) noexcept;

private:
    guest_state() = default;

    guest info_ = {};
    lua_State* main_ = nullptr;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
