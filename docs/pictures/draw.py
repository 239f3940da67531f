#!/usr/bin/env python3
"""Draws the pictures of docs/guide/repl.md from real sessions: runs the program in a pseudo-terminal, types what SCENES says, and writes what
a terminal shows as SVG, light and dark.

usage: docs/pictures/draw.py [--program build/release/pyaichat] [--to docs/pictures] [NAME...]

Needs python3-pexpect and python3-pyte. A test draws the pictures anew and compares their text.
"""

import argparse
import html
import os
import pathlib
import shutil
import sys
import tempfile

import pexpect
import pyte

HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 20
COLUMNS = 92

ENTER, TAB = "\r", "\t"

# Each scene: the number of rows, and steps. A step types a text and then waits until the screen shows another text.
SCENES = {}


def scene(name, rows, *steps):
    SCENES[name] = (rows, steps)


FILES = {
    "orders.py": "def total(orders):\n    result = 0\n    for order in orders:\n        result += order['price']\n    return result\n",
}

scene("first-question", 16,
      ("prices = {'tea': 3.5, 'coffee': 4.2}" + ENTER, "py> "),
      ("sum(prices.values())" + ENTER, "7.7"),
      (TAB, "ai> "),
      ("what is prices?" + ENTER, "is a dict"),
      ("what are the keys of prices?" + ENTER, "coffee"))

scene("after-an-error", 22,
      ("from orders import total" + ENTER, "py> "),
      ("total([{'price': 2}, {'cost': 3}])" + ENTER, "KeyError"),
      (TAB, "ai> "),
      ("why did it fail?" + ENTER, "raised in"))

scene("completion", 14,
      ("import collections" + ENTER, "py> "),
      ("collections.de" + TAB, "deque"),
      (TAB, "deque"))

scene("english", 14,
      ("orders = [3, 4]" + ENTER, "py> "),
      ("how many orders are there?" + ENTER, "ask this"),
      (TAB, "ai> how"),
      (ENTER, "2"))

PALETTES = {
    "light": {"back": "#ffffff", "frame": "#d0d7de", "text": "#1f2328", "dim": "#6e7781", "colors": {
        "black": "#24292f", "red": "#cf222e", "green": "#116329", "brown": "#7d4e00", "blue": "#0550ae", "magenta": "#8250df",
        "cyan": "#1b7c83", "white": "#6e7781", "brightblack": "#57606a", "brightred": "#a40e26", "brightgreen": "#1a7f37",
        "brightbrown": "#633c01", "brightblue": "#0969da", "brightmagenta": "#8250df", "brightcyan": "#3192aa", "brightwhite": "#8c959f"}},
    "dark": {"back": "#0d1117", "frame": "#30363d", "text": "#e6edf3", "dim": "#8b949e", "colors": {
        "black": "#484f58", "red": "#ff7b72", "green": "#3fb950", "brown": "#d29922", "blue": "#58a6ff", "magenta": "#bc8cff",
        "cyan": "#39c5cf", "white": "#b1bac4", "brightblack": "#6e7681", "brightred": "#ffa198", "brightgreen": "#56d364",
        "brightbrown": "#e3b341", "brightblue": "#79c0ff", "brightmagenta": "#d2a8ff", "brightcyan": "#56d4dd", "brightwhite": "#ffffff"}},
}


class DimScreen(pyte.Screen):
    """pyte forgets the attribute "dim": keep it as "struck through", which nothing here writes."""

    def select_graphic_rendition(self, *attributes, **more):
        super().select_graphic_rendition(*attributes, **more)
        if 2 in attributes:
            self.cursor.attrs = self.cursor.attrs._replace(strikethrough=True)
        if 22 in attributes:
            self.cursor.attrs = self.cursor.attrs._replace(strikethrough=False)


class Session:
    """The program at a terminal that keeps what it shows."""

    def __init__(self, program, rows):
        self.folder = os.path.join(tempfile.gettempdir(), "shop")  # tracebacks show it
        os.mkdir(self.folder)
        for name, text in FILES.items():
            pathlib.Path(self.folder, name).write_text(text, encoding="utf-8")
        environment = {"HOME": self.folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm-256color"}
        self.child = pexpect.spawn(str(program), cwd=self.folder, env=environment, dimensions=(rows, COLUMNS), encoding="utf-8")
        self.screen = DimScreen(COLUMNS, rows)
        self.stream = pyte.Stream(self.screen)

    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def settle(self):
        """Takes in what the program writes until it is silent for a moment."""
        while True:
            try:
                self.stream.feed(self.child.read_nonblocking(65536, timeout=0.3))
            except (pexpect.TIMEOUT, pexpect.EOF):
                return

    def step(self, typed, wanted):
        for key in [typed] if typed.startswith("\x1b") else typed:
            self.child.send(key)
        deadline = SECONDS * 3
        while True:
            self.settle()
            if wanted.rstrip() in self.text():
                return
            deadline -= 1
            if deadline < 0 or not self.child.isalive():
                raise SystemExit(f"the program did not show {wanted!r} after {typed!r}:\n{self.text()}")

    def close(self):
        self.child.close(force=True)
        shutil.rmtree(self.folder)


def play(program, name):
    """Plays a scene. Returns its rows: each a list of (text, style) with style = (colour, bold, italic, dim, reverse), and the text."""
    rows, steps = SCENES[name]
    session = Session(program, rows)
    try:
        session.step("", "py> ")
        for typed, wanted in steps:
            session.step(typed, wanted)
        lines = []
        for y in range(rows):
            line = []
            for x in range(COLUMNS):
                cell = session.screen.buffer[y][x]
                style = (cell.fg, cell.bold, cell.italics, cell.strikethrough, cell.reverse)
                if line and line[-1][1] == style:
                    line[-1][0] += cell.data
                else:
                    line.append([cell.data, style])
            lines.append(line)
        while lines and not "".join(text for text, _ in lines[-1]).strip():
            lines.pop()
        return lines
    finally:
        session.close()


def svg(lines, palette):
    """The rows as SVG text."""
    width, height, left, top = 8.4, 19, 16, 14
    colors = palette["colors"]
    across, down = int(COLUMNS * width + 2 * left), int(len(lines) * height + 2 * top)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" viewBox="0 0 {across} {down}" '
           'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">',
           f'<rect x="0.5" y="0.5" width="{across - 1}" height="{down - 1}" rx="8" fill="{palette["back"]}" stroke="{palette["frame"]}"/>']
    for y, line in enumerate(lines):
        x = 0
        baseline = top + y * height + 14
        for text, (color, bold, italic, dim, reverse) in line:
            kept = text.rstrip() if not reverse else text
            ink = palette["dim"] if dim else palette["text"] if color == "default" else colors.get(color, "#" + color)
            if reverse:
                out.append(f'<rect x="{left + x * width:.1f}" y="{baseline - 14}" width="{len(text) * width:.1f}" height="{height}" '
                           f'fill="{ink}"/>')
                ink = palette["back"]
            if kept.strip():
                weight = ' font-weight="bold"' if bold else ""
                slant = ' font-style="italic"' if italic else ""
                out.append(f'<text x="{left + x * width:.1f}" y="{baseline}" textLength="{len(kept) * width:.1f}" fill="{ink}"{weight}{slant} '
                           f'xml:space="preserve">{html.escape(kept)}</text>')
            x += len(text)
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    root = HERE.parent.parent
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("names", nargs="*", metavar="NAME", help="scenes; all by default: " + " ".join(SCENES))
    words.add_argument("--program", default=os.environ.get("PYAICHAT_PROGRAM", root / "build/release/pyaichat"))
    words.add_argument("--to", type=pathlib.Path, default=HERE)
    chosen = words.parse_args()
    for name in chosen.names or SCENES:
        if name not in SCENES:
            words.error(f"no scene is called {name}; there are: {' '.join(SCENES)}")
        lines = play(pathlib.Path(chosen.program).resolve(), name)
        for look, palette in PALETTES.items():
            (chosen.to / f"repl-{name}-{look}.svg").write_text(svg(lines, palette), encoding="utf-8")
        print(f"drew {name}", file=sys.stderr)


if __name__ == "__main__":
    main()
