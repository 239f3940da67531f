"""The README's transcript and one-line example are what the program really shows."""

import pathlib
import re
import shlex

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROMPT = re.compile(r"^(py> |ai> |\.\.\. )(.*)$")


def block_after(marker):
    found = re.search(rf"<!-- {re.escape(marker)} -->\n```\w*\n(.*?)```", README, re.DOTALL)
    assert found, f"the README has no block after <!-- {marker} -->"
    return found.group(1).splitlines()


def without_times(line):
    return re.sub(r"\d+(\.\d+)? (us|ms|s)\b", "TIME", line.rstrip())


def test_the_transcript_is_what_a_terminal_shows(program):
    screen = program.start()
    screen.prompt("py> ")
    mode = "py> "
    lines = block_after("a session")
    entries = []
    for line in lines:
        at = PROMPT.match(line)
        if at:
            entries.append((at[1], at[2], []))
        else:
            entries[-1][2].append(line)
    assert len(entries) > 6
    for position, (prompt, typed, expected) in enumerate(entries):
        if prompt in ("py> ", "ai> ") and prompt != mode:
            screen.send("\t")
            screen.prompt(prompt)
            mode = prompt
        continues = position + 1 < len(entries) and entries[position + 1][0] == "... "
        shown = screen.enter(typed, then="... " if continues else mode)
        output = [without_times(line) for line in shown.split("\n")[1:]]
        assert [line for line in output if line] == [without_times(line) for line in expected if line], typed


def test_the_one_line_example_answers(program):
    command, *expected = block_after("one line")
    words = shlex.split(command.removeprefix("$ "))
    assert words[0] == "./repl"
    done = program.run(*words[1:])
    assert done.returncode == 0
    assert [without_times(line) for line in done.stdout.splitlines()] == [without_times(line) for line in expected]
