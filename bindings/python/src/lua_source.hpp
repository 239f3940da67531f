#pragma once
#include "object_ref.hpp"

namespace bindings {

/// Registers `LuaPlugins`, a source of capabilities and hooks in Lua.
void add_lua_source(py::module_& module);

}  // namespace bindings
