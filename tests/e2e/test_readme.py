"""The README's transcript and one-line example are what the program really shows."""

import pathlib
import shlex

from transcript import block_after, play, without_figures

README = (pathlib.Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_transcript_is_what_a_terminal_shows(program):
    assert play(program.start(), block_after(README, "a session")) > 6


def test_the_one_line_example_answers(program):
    command, *expected = block_after(README, "one line")
    words = shlex.split(command.removeprefix("$ "))
    assert words[0] == "./repl"
    done = program.run(*words[1:])
    assert done.returncode == 0
    assert [without_figures(line) for line in done.stdout.splitlines()] == [without_figures(line) for line in expected]
