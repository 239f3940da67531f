#pragma once
#include <pyaichat/core/json.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Turns empty objects into empty lists where JSON Schema requires a list (`required = {}`), because an empty Lua table may be either.
/// The recursion is limited by the depth of values that are read from Lua.
void restore_lists(json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
