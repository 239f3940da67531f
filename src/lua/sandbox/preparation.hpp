#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/core/json.hpp>

#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The arguments and results of `prepare`.
struct preparation {
    int function = 0;  // index of the function; 0 = compile `text`
    std::span<const json* const> arguments = {};
    std::string_view text = {};
    const char* chunk_name = nullptr;
    lua_State* coroutine = nullptr;
    int anchor = LUA_NOREF;
    int begins_at = 0;                      // first line of the function
    std::string* compiler_error = nullptr;  // receives the compiler's message
    bool late = false;                      // compiling took too long
};

/// Creates a coroutine and pushes the function and its arguments onto its stack. A body for `guest_state::protect`, with a `preparation` as
/// data. May raise, without leaking.
int prepare(lua_State* L);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
