"""Checks that headers and sources include only what their layer may: `layers.py ROOT` for a tree, `layers.py --self-test` for the check itself.

A file includes its own room and rooms of lower layers; never a higher one, and never another room of its own layer where that would tie
together what a consumer may take apart. A file that opens the namespace `PYAICHAT_ABI` reaches the header that defines it: without that
definition the namespace would be called so.
"""

import pathlib
import re
import sys
import tempfile

LAYERS = {
    "config": 0,
    "core": 1,
    "schema": 2, "message": 2,
    "policy": 3,
    "capability": 4, "provider": 4, "runtime": 4,
    "agent": 5,
    "net": 6, "anthropic": 6, "gemini": 6, "openai": 6, "offline": 6, "python": 6, "lua": 6, "process": 6, "shell": 6,
    "testing": 7, "choice": 7,
}
# Providers of HTTP services share what `net` knows about those: keys, errors, delays, streams. `process` is for rooms that run programs.
SIDEWAYS = {("shell", "process"), ("anthropic", "net"), ("gemini", "net"), ("openai", "net"), ("message", "schema")}
# A provider or a language is used by an agent and knows nothing of it.
FORBIDDEN = {(room, "agent") for room, layer in LAYERS.items() if layer == 6}
# Headers of the packages behind a room: never reachable from include/.
HEAVY = re.compile(r"^(httplib\.h|curl/|openssl/|pybind11/|Python\.h|lua|sol/)")
# Adapters over a library of the host, and the header that each may include. The host compiles them; nothing of ours includes them.
ADAPTERS = {"net/httplib_transport.hpp": "httplib.h", "net/curl_transport.hpp": "curl/curl.h"}
# The headers of the whole SDK, which belong to no room.
ROOTS = {"pyaichat.hpp", "fwd.hpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def allowed(room, other):
    if room == other:
        return True
    if (room, other) in FORBIDDEN:
        return False
    return LAYERS[other] < LAYERS[room] or (room, other) in SIDEWAYS


def reaches_config(root, path, seen):
    """Whether a file includes config/config.hpp, itself or through headers of the tree."""
    if path == root / "include" / "pyaichat" / "config" / "config.hpp":
        return True
    if path in seen or not path.is_file():
        return False
    seen.add(path)
    found = INCLUDE.findall(path.read_text(encoding="utf-8"))
    return any(reaches_config(root, base / name, seen) for name in found for base in (root / "include", root / "src"))


def problems(root):
    root = pathlib.Path(root)
    for base in (root / "include" / "pyaichat", root / "src"):
        for path in sorted(base.rglob("*")):
            if path.suffix not in (".hpp", ".cpp", ".h") or (root / "src" / "cmake") in path.parents:
                continue
            inside = path.relative_to(base)
            public = base.name == "pyaichat"
            if len(inside.parts) == 1:
                if not public or inside.name not in ROOTS:
                    yield f"{path}: belongs to no room"
                continue
            room = inside.parts[0]
            if room not in LAYERS:
                yield f"{path}: `{room}` is no room; add it to LAYERS in tests/meta/layers.py"
                continue
            text = path.read_text(encoding="utf-8")
            if "PYAICHAT_ABI" in text and not reaches_config(root, path, set()):
                yield f"{path}: opens PYAICHAT_ABI, and no include of it leads to <pyaichat/config/config.hpp>"
            for included in INCLUDE.findall(text):
                if included.removeprefix("pyaichat/") in ADAPTERS:
                    yield f"{path}: includes <{included}>, which only hosts include"
                if public and HEAVY.match(included) and ADAPTERS.get(inside.as_posix()) != included:
                    yield f"{path}: includes <{included}>, which must not be reachable from a public header"
                parts = included.split("/")
                if parts[0] == "pyaichat":
                    parts = parts[1:]
                elif not (root / "src" / included).is_file():
                    continue
                if len(parts) == 1:
                    if parts[0] != "fwd.hpp":
                        yield f"{path}: includes <{included}>; include the header that is needed"
                elif not allowed(room, parts[0]):
                    yield f"{path}: includes <{included}>, but `{room}` (layer {LAYERS[room]}) must not know `{parts[0]}`"


def self_test():
    """Each planted include has to be refused, and a tree without them accepted."""
    planted = {
        "include/pyaichat/core/up.hpp": "#include <pyaichat/agent/run.hpp>",
        "include/pyaichat/capability/sideways.hpp": "#include <pyaichat/provider/any_provider.hpp>",
        "include/pyaichat/python/agent.hpp": "#  include <pyaichat/agent/run.hpp>",
        "include/pyaichat/net/gemini.hpp": "#include <pyaichat/gemini/gemini.hpp>",
        "include/pyaichat/provider/offline.hpp": "#include <pyaichat/offline/offline.hpp>",
        "include/pyaichat/python/heavy.hpp": "#include <pybind11/embed.h>",
        "include/pyaichat/net/heavy.hpp": "#include <httplib.h>",
        "include/pyaichat/net/curl_transport.hpp": "#include <httplib.h>",
        "include/pyaichat/gemini/adapted.hpp": "#include <pyaichat/net/httplib_transport.hpp>",
        "include/pyaichat/agent/umbrella.hpp": "#include <pyaichat/pyaichat.hpp>",
        "include/pyaichat/junk.hpp": "",
        "src/shed/tool.cpp": "",
        "src/core/no_config.cpp": "#include <vector>\n#include <pyaichat/core/nothing.hpp>\nnamespace pyaichat::inline PYAICHAT_ABI {}",
        "src/core/up.cpp": '#include "agent/findings.hpp"',
    }
    fine = {
        "include/pyaichat/config/config.hpp": "#define PYAICHAT_ABI v0",
        "include/pyaichat/core/nothing.hpp": "",
        "include/pyaichat/core/time.hpp": "#include <pyaichat/config/config.hpp>\nnamespace pyaichat::inline PYAICHAT_ABI {}",
        "src/core/time.cpp": "#include <pyaichat/core/time.hpp>\nnamespace pyaichat::inline PYAICHAT_ABI {}",
        "include/pyaichat/agent/run.hpp": "#include <pyaichat/core/time.hpp>\n#include <vector>",
        "include/pyaichat/gemini/gemini.hpp": "#include <pyaichat/net/url.hpp>\n#include <pyaichat/fwd.hpp>",
        "include/pyaichat/net/httplib_transport.hpp": "#include <httplib.h>",
        "src/agent/findings.hpp": "#include <pyaichat/message/part.hpp>",
        "src/agent/run.cpp": '#include "agent/findings.hpp"',
    }
    with tempfile.TemporaryDirectory() as folder:
        def put(name, text):
            path = pathlib.Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text + "\n", encoding="utf-8")
            return path

        for name, text in fine.items():
            put(name, text)
        found = list(problems(folder))
        if found:
            sys.exit("a tree without a wrong include was refused:\n" + "\n".join(found))
        for name, text in planted.items():
            path = put(name, text)
            found = [line for line in problems(folder) if line.startswith(str(path))]
            if len(found) != 1:
                sys.exit(f"{name}: {text!r} was not refused")
            path.unlink()
    print(f"{len(planted)} planted includes refused")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
    else:
        found = list(problems(sys.argv[1]))
        print("\n".join(found) if found else "every include is allowed")
        sys.exit(1 if found else 0)
