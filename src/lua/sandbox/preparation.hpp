#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/core/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// What has to happen on the main coroutine before a function can run in its own.
struct preparation {
    int function = 0;  // of the plugin; 0 = the text of the file
    std::span<const json* const> arguments = {};
    std::string_view text = {};
    const char* chunk_name = nullptr;
    lua_State* coroutine = nullptr;
    int anchor = LUA_NOREF;
    int begins_at = 0;                 // line of the function
    std::string* complaint = nullptr;  // of the compiler
    bool late = false;                 // the compiler was
};

/// For `guest_state::protect`, with a `preparation`. May raise, and leaves nothing behind then but garbage of Lua's.
int prepare(lua_State* L);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
