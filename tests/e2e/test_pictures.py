"""The pictures of the guide: they can be drawn anew, and show what the program shows."""

import os
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

from conftest import PROGRAM

PICTURES = pathlib.Path(__file__).resolve().parents[2] / "docs" / "pictures"


def rows_of(picture):
    """The text of a picture without times: a list of rows."""
    rows = {}
    for piece in xml.etree.ElementTree.parse(picture).iter("{http://www.w3.org/2000/svg}text"):
        rows.setdefault(int(piece.get("y")), []).append(piece.text)
    return [re.sub(r"[\d.]+ ms", "0 ms", "".join(pieces)) for _, pieces in sorted(rows.items())]


def test_a_picture_is_drawn_from_a_real_session(tmp_path):
    subprocess.run([sys.executable, PICTURES / "draw.py", "--program", PROGRAM, "--to", tmp_path, "english"], check=True, timeout=60,
                   env={**os.environ, "TMPDIR": str(tmp_path)})
    drawn = rows_of(tmp_path / "repl-english-dark.svg")
    assert drawn[-3:] == rows_of(PICTURES / "repl-english-light.svg")[-3:]
    assert "ai> how many orders are there?" in drawn


def test_every_picture_of_the_guide_exists_for_light_and_dark_pages():
    guide = (PICTURES.parent / "guide" / "repl.md").read_text(encoding="utf-8")
    for picture in PICTURES.glob("*.svg"):
        assert f"../pictures/{picture.name}" in guide, picture.name
    assert guide.count("-light.svg") == guide.count("-dark.svg") >= 4
