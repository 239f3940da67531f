#pragma once
#include <pyaichat/core/json.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Makes lists of the empty objects that stand where JSON Schema has lists (`required = {}`): an empty table in Lua is neither. Recursion
/// is bounded by the depth of what was read from Lua.
void restore_lists(json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
