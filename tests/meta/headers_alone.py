"""Lists the public headers that have to be compiled so that each is compiled alone: `headers_alone.py ROOT`.

A header whose first include is another one compiles that one alone, too. Behind the name of a header stands `json` when it reaches
nlohmann/json.hpp: that may then be precompiled, since what it includes is there anyway. Adapters over a library of the host are left out:
their tests compile them, where the library is installed.
"""

import pathlib
import re
import sys

from layers import ADAPTERS

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)", re.MULTILINE)

root = pathlib.Path(sys.argv[1]) / "include"
included = {path.relative_to(root).as_posix(): INCLUDE.findall(path.read_text(encoding="utf-8")) for path in root.rglob("*.hpp")
            if path.relative_to(root / "pyaichat").as_posix() not in ADAPTERS}


def reaches_json(name, seen):
    if name in seen or name not in included:
        return name == "nlohmann/json.hpp"
    seen.add(name)
    return any(reaches_json(other, seen) for other in included[name])


first = {names[0] for names in included.values() if names}
for header in sorted(included.keys() - first):
    print(header + (" json" if reaches_json(header, set()) else ""))
