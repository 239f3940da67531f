#pragma once
#include "lua/sandbox/lua_api.hpp"

#include <pyaichat/lua/sandbox.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Creates the globals of a plugin from an empty table. A C function for `lua_call`, without arguments and results. May raise.
int open_environment(lua_State* L);

// These add this room's functions to the table at the top of the stack. They may raise.
void add_base_functions(lua_State* L);
void add_string_functions(lua_State* L);  // takes Lua's own `string.format` off the stack
void add_table_functions(lua_State* L);
void add_coroutine_functions(lua_State* L);

/// Pushes the table `ctx` with the functions that `limits` permits. May raise.
void push_ctx(lua_State* L, const sandbox& limits);

/// Marks the table at `index` as a list, for `pyaichat.array`, so that it is a list even if it is empty. May raise.
void mark_array(lua_State* L, int index);
/// Whether the table at `index` is marked as a list. Never raises.
[[nodiscard]] bool is_marked_array(lua_State* L, int index) noexcept;

/// Pushes a value as `tostring` converts it, without addresses. May raise, and may run the plugin's `__tostring`.
std::string_view push_text_of(lua_State* L, int index);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
