#pragma once
/// Includes Lua's headers. Lua is compiled as C: an error is a longjmp, so a frame that it skips must not have objects with destructors.
/// Such code consists of plain functions over plain data.
extern "C" {
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
}

static_assert(LUA_VERSION_NUM == 504, "pyaichat::lua is written for Lua 5.4");
