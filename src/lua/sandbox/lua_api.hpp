#pragma once
/// Lua's own headers. Lua is compiled as C: an error leaves by longjmp, so no object with a destructor may live in a frame that one passes.
/// Code that can be passed is therefore written as plain functions over plain data.
extern "C" {
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
}

static_assert(LUA_VERSION_NUM == 504, "pyaichat::lua is written for Lua 5.4");
