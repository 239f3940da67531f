#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/lua/sandbox.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Pushes the table `ctx` with the functions that `limits` permits. May raise.
void push_ctx(lua_State* L, const sandbox& limits);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
