#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <string_view>

/// Includes Lua's headers. Lua is compiled as C: an error is a longjmp, so a frame that it skips must not have objects with destructors.
/// Such code consists of plain functions over plain data.
extern "C" {
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
}

static_assert(LUA_VERSION_NUM == 504, "pyaichat::lua is written for Lua 5.4");

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The bytes of the string at `index`, valid while it is on the stack; empty for any other type. Never converts and never raises.
[[nodiscard]] inline std::string_view string_at(lua_State* L, int index) noexcept {
    if (lua_type(L, index) != LUA_TSTRING) {
        return {};
    }
    std::size_t size = 0;
    const char* const data = lua_tolstring(L, index, &size);
    return {data, size};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
