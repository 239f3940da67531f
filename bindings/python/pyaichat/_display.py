"""How an answer is shown: as Markdown in a notebook, as text in a terminal."""

from __future__ import annotations

import html
import importlib
import re
from typing import Any

from ._events import CallDenied, CallFinished
from ._looks import describe_call, summarize

_CODE = re.compile(r"(```.*?(?:```|\Z)|`[^`\n]+`)", re.DOTALL)  # blocks, the last of which may still stream, and spans
# The beginnings of Markdown and HTML that load something.
_LOADING = "img|image|picture|source|video|audio|iframe|object|embed|link|svg|style|script|input"
_LOADS = re.compile(rf"(!)(?=\[)|(<)(?=[!/?]?\s*(?:{_LOADING})\b)", re.IGNORECASE)
_JOINER = "\u2060"  # has no width


def as_markdown(text: str) -> str:
    """The text of an answer for a notebook. It has no HTML, which would swallow `<Door object>`, and loads no picture, whose address could
    carry values to another machine. That holds in code too: what looks like code here may be none for the notebook.

    >>> print(as_markdown("a <Door object>, `<b>`"))
    a &lt;Door object>, `<b>`
    """
    parts = _CODE.split(_LOADS.sub(lambda found: found.group(0) + _JOINER, text))
    parts[::2] = [part.replace("<", "&lt;") for part in parts[::2]]
    return "".join(parts)


class Notebook:
    """Shows an answer in a notebook: one display, updated while the text streams."""

    def __init__(self) -> None:
        # IPython has type information in some versions only.
        self._display: Any = importlib.import_module("IPython.display")
        self._text = ""
        self._handle = self._display.display(self._display.Markdown("…"), display_id=True)

    def add(self, text: str) -> None:
        self._text += text
        self._update(as_markdown(self._text))

    def withdraw(self) -> None:
        self._text = ""

    def finish(self, text: str, calls: list[CallFinished | CallDenied]) -> None:
        self._update(as_markdown(text) + folded(calls))

    def _update(self, text: str) -> None:
        if self._handle is not None:
            self._handle.update(self._display.Markdown(text))


class Terminal:
    """Shows an answer in a terminal: text as it streams."""

    def __init__(self) -> None:
        self._shown = ""

    def add(self, text: str) -> None:
        self._shown += text
        print(text, end="", flush=True)

    def withdraw(self) -> None:
        if self._shown:
            print("\n(withdrawn)")
        self._shown = ""

    def finish(self, text: str, calls: list[CallFinished | CallDenied]) -> None:
        if text.startswith(self._shown):
            print(text[len(self._shown) :])
        else:
            print("\n" + text)
        if calls:
            print(f"({summarize(calls)}: see %ai_trace)")


def folded(calls: list[CallFinished | CallDenied]) -> str:
    """The calls as one line that can be unfolded. HTML in one line: no text of an expression ends it."""
    if not calls:
        return ""
    items = "".join(f"<li><code>{html.escape(describe_call(each))}</code></li>" for each in calls)
    return f"\n\n<details><summary>{html.escape(summarize(calls))}</summary><ul>{items}</ul></details>"
