"""Plays a transcript of a document in the real program, and compares what is shown, but for times and sizes."""

import re

PROMPT = re.compile(r"^(py> |ai> |\.\.\. |  run it\? .*: )(.*)$")
QUESTION = "  run it?"


def block_after(document, marker):
    found = re.search(rf"<!-- {re.escape(marker)} -->\n```\w*\n(.*?)```", document, re.DOTALL)
    assert found, f"there is no block after <!-- {marker} -->"
    return found.group(1).splitlines()


def without_figures(line):
    return re.sub(r" *(\d+(\.\d+)? (us|ms|s|KiB)\b|\$\d+\.\d+)", " FIGURE", line.rstrip())  # a price may change


def play(screen, lines):
    """Types each line after its prompt, and expects what follows it."""
    entries = []
    for line in lines:
        if at := PROMPT.match(line):
            entries.append((at[1], at[2], []))
        else:
            entries[-1][2].append(line)
    screen.prompt("py> ")
    mode = "py> "
    for position, (prompt, typed, expected) in enumerate(entries):
        if prompt in ("py> ", "ai> ") and prompt != mode:
            screen.send("\t")
            screen.prompt(prompt)
            mode = prompt
        following = entries[position + 1][0] if position + 1 < len(entries) else mode
        shown = screen.enter(typed, then=following if following == "... " or following.startswith(QUESTION) else mode)
        output = [without_figures(line) for line in shown.split("\n")[1:]]
        assert [line for line in output if line] == [without_figures(line) for line in expected if line], typed
    return len(entries)
