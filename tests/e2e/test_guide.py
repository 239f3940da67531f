"""The transcripts of the guide to the REPL are what the program really shows."""

import pathlib
import shlex
import shutil

from conftest import needs_plugins
from fake_gemini import FakeGemini, calls, text
from transcript import block_after, play

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs/guide/repl.md").read_text(encoding="utf-8")


def options_of(line):
    words = shlex.split(line.removeprefix("$ "))
    assert words[0] == "./repl"
    return words[1:]


def test_the_transcript_of_a_trace_is_what_a_terminal_shows(program):
    assert play(program.start(), block_after(GUIDE, "a trace")) == 3


@needs_plugins
def test_the_transcript_of_a_plugin_is_what_a_terminal_shows(program):
    shutil.copytree(ROOT / "plugins", program.work / "plugins")
    start, *lines = block_after(GUIDE, "a plugin")
    script = (calls(("open_door", {"id": "cellar"})), calls(("open_door", {"id": "cellar", "force": True})), text("The cellar is open."))
    with FakeGemini(*script) as service:
        assert play(program.start(*options_of(start), **service.environment()), lines) == 4


@needs_plugins
def test_the_plugin_commands_of_the_guide_print_what_it_shows(program):
    shutil.copytree(ROOT / "plugins", program.work / "plugins")
    command = None
    shown = {}
    for line in block_after(GUIDE, "plugin commands"):
        if line.startswith("$ "):
            command = line
            shown[command] = []
        else:
            shown[command].append(line)
    assert len(shown) == 2
    for command, expected in shown.items():
        assert program.run(*options_of(command)).stdout.splitlines() == expected, command
