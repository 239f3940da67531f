"""Capabilities in Lua: `ai.lua.plugins("folder")`."""

from __future__ import annotations

import os

from . import _native
from ._errors import Error
from ._shell import Source

__all__ = ["Plugins", "plugins"]


class Plugins(Source):
    """Loaded plugins, with their capabilities and hooks. Pass them in `capabilities=`. Several agents and threads may share them."""

    __slots__ = ("_plugins",)

    def __init__(self, native: _native.LuaPlugins) -> None:
        super().__init__(native, "")
        self._plugins = native

    @property
    def names(self) -> list[str]:
        """The names of the plugins, in the order in which they were loaded."""
        return [each["name"] for each in self._plugins.describe()]

    @property
    def capabilities(self) -> list[str]:
        """The names of their capabilities."""
        return [name for each in self._plugins.describe() for name in each["capabilities"]]

    @property
    def problems(self) -> dict[str, str]:
        """Why files could not be reloaded, by the name of the plugin. Its old version is kept."""
        return {each["name"]: each["problem"] for each in self._plugins.describe() if each["problem"] is not None}

    def take_notices(self) -> list[tuple[str, str, str]]:
        """Returns and removes what the plugins have logged and how they have failed: a kind, the plugin and a text.

        The kinds are "log", "failed", "stopped" (a limit was exceeded), "changed" and "broken". The last 1,000 notices are kept.
        """
        return self._plugins.take_notices()

    def __repr__(self) -> str:
        return f"<lua.Plugins: {', '.join(self.names) or 'none'}>"


def plugins(path: str | os.PathLike[str], *, memory: int = 32 * 1024 * 1024, time: float = 0.05, reload: bool = False) -> Plugins:
    """Loads a Lua file, or all `*.lua` files of a folder, each in a sandbox of its own.

    memory: bytes that one plugin may use
    time: seconds that one call may take; the limit of instructions is 10 million
    reload: look for changed files before each model call

    Plugins call no other capabilities (`ctx.call`). Raises ConfigurationError with file and line if a file cannot be loaded, and Error if
    this build has no Lua.
    """
    if not hasattr(_native, "LuaPlugins"):
        raise Error("this build of pyaichat has no Lua", hint="Build it with -DPYAICHAT_LUA=ON.")
    return Plugins(_native.LuaPlugins(os.fspath(path), memory=memory, time=float(time), reload=reload))
