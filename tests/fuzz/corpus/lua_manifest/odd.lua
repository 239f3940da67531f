#!/usr/bin/lua
return { [1] = 2, name = 3 }