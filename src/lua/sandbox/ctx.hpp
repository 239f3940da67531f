#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/lua/sandbox.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Pushes the table that the functions of a plugin get as `ctx`, with what `limits` grants. May raise.
void push_ctx(lua_State* L, const sandbox& limits);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
