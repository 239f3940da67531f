#pragma once
#include <pyaichat/config/config.hpp>

#include "lua/sandbox/guest.hpp"

#include <cstddef>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

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
    [[nodiscard]] const guest& info() const noexcept { return info_; }

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
