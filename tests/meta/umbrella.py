"""Checks that pyaichat.hpp includes every public header of layers 0 to 5, and nothing else: `umbrella.py ROOT`."""

import pathlib
import re
import sys

from layers import LAYERS

root = pathlib.Path(sys.argv[1]) / "include"
text = (root / "pyaichat" / "pyaichat.hpp").read_text(encoding="utf-8")
included = set(re.findall(r"#include <(pyaichat/[^>]+)>", text))
expected = {"pyaichat/fwd.hpp"} | {
    path.relative_to(root).as_posix()
    for room, layer in LAYERS.items() if layer <= 5
    for path in (root / "pyaichat" / room).glob("*.hpp")
}
missing, surplus = sorted(expected - included), sorted(included - expected)
for name in missing:
    print(f"pyaichat.hpp lacks <{name}>")
for name in surplus:
    print(f"pyaichat.hpp includes <{name}>, which is not of layers 0 to 5")
if missing or surplus:
    sys.exit(1)
print(f"pyaichat.hpp is complete: {len(expected)} headers")
