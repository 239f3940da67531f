"""Runs the guide for Python: each block of Python, in order, and compares its output with the block that follows."""

import contextlib
import io
import os
import pathlib
import re
import sys
import types

import pyaichat as ai

SOURCE = pathlib.Path(os.environ.get("PYAICHAT_SOURCE", pathlib.Path(ai.__file__).resolve().parents[3]))
PAGE = SOURCE / "docs" / "guide" / "python.md"
BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```\n(?:\n```text\n(?P<output>.*?)^```\n)?", re.DOTALL | re.MULTILINE)


def test_the_guide_works_as_it_is_printed(monkeypatch):
    script = types.ModuleType("guide")
    monkeypatch.setitem(sys.modules, "guide", script)
    blocks = list(BLOCK.finditer(PAGE.read_text(encoding="utf-8")))
    assert len(blocks) > 10
    for block in blocks:
        shown = io.StringIO()
        with contextlib.redirect_stdout(shown):
            exec(compile(block["code"], "guide.py", "exec"), script.__dict__)
        printed = "".join(line.rstrip() + "\n" for line in shown.getvalue().splitlines())
        assert printed == (block["output"] or ""), block["code"]
