#pragma once
#include <pyaichat/config/config.hpp>

#include "lua/sandbox/lua_api.hpp"

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// A C function for `lua_call`, without arguments or results: makes the world that a plugin sees, in a table that begins empty. May raise.
int open_environment(lua_State* L);

/// What fills a table on the top of the stack with functions of this room; each leaves the stack as it was. May raise.
void add_base_functions(lua_State* L);
void add_string_functions(lua_State* L);
void add_pattern_functions(lua_State* L);
void add_table_functions(lua_State* L);
void add_coroutine_functions(lua_State* L);

/// `pyaichat.array`: marks a table as a list, also when it is empty. The table is at `index`. May raise.
void mark_array(lua_State* L, int index);
/// Whether it is marked. Never raises.
[[nodiscard]] bool is_marked_array(lua_State* L, int index) noexcept;

/// Pushes what `tostring` makes of a value: no addresses. May raise, and may run the plugin's `__tostring`.
const char* push_text_of(lua_State* L, int index, std::size_t* length);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
