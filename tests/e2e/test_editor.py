"""The editor of the prompt, on the screen of an emulated terminal: keys, pastes, histories, signals, output of threads."""

import os
import signal
import time

import pytest

from conftest import PROGRAM
from emulated import Terminal

PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"


@pytest.fixture
def start(program):
    started = []

    def at_prompt(*arguments, columns=60, rows=12, **environment):
        terminal = Terminal([PROGRAM, *arguments], str(program.work), program.environment(environment), columns, rows)
        started.append(terminal)
        terminal.until(lambda: terminal.last() == ["py>"])
        return terminal

    yield at_prompt
    for terminal in started:
        terminal.end()


# The keys; the rows of the entry on the screen; the row and the column of the cursor in them.
RECORDED = [
    ("abc", ["py> abc"], (0, 7)),
    ("abc\x02", ["py> abc"], (0, 6)),
    ("abc\x01x", ["py> xabc"], (0, 5)),
    ("abc\x1b[D\x1b[D\x7f", ["py> bc"], (0, 4)),
    ("abc\x1b[3~", ["py> abc"], (0, 7)),
    ("abc\x1b[H\x1b[3~", ["py> bc"], (0, 4)),
    ("abc\x1bOH\x1bOFd", ["py> abcd"], (0, 8)),
    ("abc\x1b[1~x\x1b[4~y", ["py> xabcy"], (0, 9)),
    ("one two\x1b[1;5D", ["py> one two"], (0, 8)),
    ("one two\x1b[1;5D\x1b[1;5D", ["py> one two"], (0, 4)),
    ("one two\x1bb\x1bb\x1bf", ["py> one two"], (0, 7)),
    ("one two\x1b[1;3D", ["py> one two"], (0, 8)),
    ("one\x1b[1;5A\x1b[1;5B\x1b[2~\x1b[15~\x1b[24~", ["py> one"], (0, 7)),
    ("one\x1b[5~\x1b[6~", ["py> one"], (0, 7)),
    ("one two\x01\x1b[3;5~", ["py>  two"], (0, 4)),
    ("one two\x17", ["py> one"], (0, 8)),
    ("one two\x15", ["py>"], (0, 4)),
    ("one two\x1bb\x0b", ["py> one"], (0, 8)),
    ("one two\x17\x19\x19", ["py> one twotwo"], (0, 14)),
    ("a\x15b\x15\x19\x1by", ["py> a"], (0, 5)),
    ("one two\x1f", ["py> one"], (0, 7)),
    ("one two\x1f\x1b/", ["py> one two"], (0, 11)),
    ("ab\x14", ["py> ba"], (0, 6)),
    ("one two\x1bt", ["py> two one"], (0, 11)),
    ("one\x01\x1bu", ["py> ONE"], (0, 7)),
    ("\x1b]0;title\x07\x1bP1$r\x1b\\\x1b[?1;2c\x1b[5Cx", ["py> x"], (0, 5)),
    ("ä中文", ["py> ä中文"], (0, 9)),
    ("ä中文\x02", ["py> ä中文"], (0, 7)),
    ("中\x7fx", ["py> x"], (0, 5)),
    ("e\u0301x\x02\x7f", ["py> x"], (0, 4)),
    ("a\U0001F600b", ["py> a\U0001F600b"], (0, 8)),
    ("def f():\r", ["py> def f():", "..."], (1, 8)),
    ("def f():\rx", ["py> def f():", "...     x"], (1, 9)),
    ("def f():\rx\rif y:\rz", ["py> def f():", "...     x", "...     if y:", "...         z"], (3, 13)),
    ("def f():\r\x7fx", ["py> def f():", "... x"], (1, 5)),
    ("def f():\rx\x1b[A", ["py> def f():", "...     x"], (0, 9)),
    ("def f():\rx\x1b[A\x1b[B", ["py> def f():", "...     x"], (1, 9)),
    ("def f():\rx\x1b[A\x01#", ["py> #def f():", "...     x"], (0, 5)),
    ("if x:\ry\x1b[A\x05\ra", ["py> if x:", "...     a", "...     y"], (1, 9)),
    ("(1,\r", ["py> (1,", "..."], None),
    ("s = '''\ra\rb", ["py> s = '''", "... a", "... b"], (2, 5)),
    ("a\x0fb", ["py> a", "... b"], (1, 5)),
    ("a\x0fb\x1b[1;5Hc", ["py> ca", "... b"], (0, 5)),
    ("if x:\ry\x1b[Z", ["py> if x:", "... y"], (1, 5)),
    ("x" * 56, ["py> " + "x" * 56, ""], (1, 0)),
    ("x" * 60, ["py> " + "x" * 56, "xxxx"], (1, 4)),
    ("x" * 60 + "\x01", ["py> " + "x" * 56, "xxxx"], (0, 4)),
    ("x" * 60 + "\x7f" * 5, ["py> " + "x" * 55], (0, 59)),
    ("x" * 55 + "中", ["py> " + "x" * 55, "中"], (1, 2)),
    (PASTE_BEGINS + "a\tb" + PASTE_ENDS, ["py> a       b"], (0, 13)),
    (PASTE_BEGINS + "if x:\r\n    y\r\n\r\n    z" + PASTE_ENDS, ["py> if x:", "...     y", "...", "...     z"], (3, 9)),
    (PASTE_BEGINS + "if x:\r    y" + PASTE_ENDS + "\x1f", ["py>"], (0, 4)),
    (PASTE_BEGINS + "\t" + PASTE_ENDS, ["py>"], (0, 12)),
    ("\t", ["ai>"], (0, 4)),
    ("what\x1bp", ["ai> what"], (0, 8)),
    ("\x1bp" + PASTE_BEGINS + "a\rb\tc" + PASTE_ENDS, ["ai> a b c"], (0, 9)),
    ("\x12long", ["py> long_entry_name = 1", "search: long"], (0, 4)),
    ("\x12entry", ["py> long_entry_name = 1", "search: entry"], (0, 9)),
    ("\x12long_x", ["py> long_entry_name = 1", "no entry contains: long_x"], (0, 4)),
    ("\x12?", ["py>", "no entry contains: ?"], (0, 4)),
    ("keep\x12long\x07", ["py> keep"], (0, 8)),
    ("long_e\x1b[C", ["py> long_entry_name = 1"], (0, 23)),
    ("long_e\x05!", ["py> long_entry_name = 1!"], (0, 24)),
    ("long\x1b[A", ["py> long_entry_name = 1"], (0, 23)),
    ("long\x1b[A\x1b[B", ["py> long_entry_name = 1"], (0, 8)),  # the suggestion is shown again
    ("\x1b[A", ["py> def block():", "...     return 1"], (1, 16)),
    ("\x1b[A\x1b[A", ["py> long_entry_name = 1"], (0, 23)),
    ("\x1b<", ["py> long_entry_name = 1"], (0, 23)),
    ("\x1b<\x1b>", ["py>"], (0, 4)),
    ("\x10\x10\x0e", ["py> def block():", "...     return 1"], (1, 16)),
    ("zzz\x18\x05", ["py> zzz  # edited"], (0, 17)),
    ("/mo\t", ["py> /mode", "  /mode   switch the mode", "  /model  show the model, or switch to another model"], None),
]


# The same key as different terminals send it, and where "|" goes in "one| two" and "on|e two".
ENCODED = [
    (["\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~", "\x01", "\x1b[1;5H", "\x1b[7^"], ["|one two", "|one two"]),
    (["\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~", "\x05", "\x1b[1;5F", "\x1b[8^"], ["one two|", "one two|"]),
    (["\x1b[D", "\x1bOD", "\x02", "\x1b[1;2D"], ["on|e two", "o|ne two"]),
    (["\x1b[C", "\x1bOC", "\x06", "\x1b[1;2C"], ["one |two", "one| two"]),
    (["\x1b[1;5D", "\x1b[1;3D", "\x1bOd", "\x1bb", "\x1b\x1b[D", "\x1b\x1bOD"], ["|one two", "|one two"]),
    (["\x1b[1;5C", "\x1b[1;3C", "\x1bOc", "\x1bf", "\x1b\x1b[C", "\x1b\x1bOC"], ["one two|", "one| two"]),
    (["\x1b[3~", "\x04", "\x1b[3;2~"], ["one|two", "on| two"]),
    (["\x1b[3;5~", "\x1b[3^", "\x1bd", "\x1b[3;3~"], ["one|", "on| two"]),
    (["\x7f", "\x08"], ["on| two", "o|e two"]),
    (["\x1b\x7f", "\x1b\x08"], ["| two", "|e two"]),
    (["\x1b[2~", "\x1b[15~", "\x1b[17~", "\x1b[24~", "\x1b[[E", "\x1bOS", "\x1b[5C", "\x1b[1;5P", "\x1b[99~", "\x1b[?64;1c", "\x1b[I", "\x1b[O",
      "\x1b]4;1;rgb:0/0/0\x07", "\x1bP>|term\x1b\\", "\x1b[<0;3;4M", "\x1b[57361u", "\x1b[>0;95;0c", "\x1b[2;5~", "\x1b[27;5;99;1;1~"],
     ["one| two", "on|e two"]),
]


def test_a_key_has_the_same_effect_in_each_encoding(start):
    terminal = start(NO_COLOR="1")
    wrong = []
    for encodings, expected in ENCODED:
        for encoding in encodings:
            for lefts, shown in zip((4, 5), expected):
                terminal.send("\x0c")
                terminal.until(lambda: terminal.lines()[0].startswith("py>"))
                terminal.send("one two" + "\x1b[D" * lefts)
                terminal.until(lambda: terminal.cursor() == (0, 11 - lefts))
                terminal.send(encoding)
                terminal.send("!")  # so that there is something to wait for
                terminal.until(lambda: "!" in terminal.lines()[0])
                if terminal.lines()[0] != "py> " + shown.replace("|", "!"):
                    wrong.append((encoding, shown, terminal.text()))
                terminal.send("\x03")
                terminal.until(lambda: terminal.last() == ["py>"])
    assert not wrong


def entry_of(terminal):
    """The rows from the prompt on."""
    rows = terminal.text().split("\n")
    first = max(index for index, row in enumerate(rows) if row.startswith(("py>", "ai>")))
    return rows[first:], first


def test_recorded_keys_give_the_expected_screens(start, program):
    edit = program.folder / "edit"
    edit.write_text("#!/bin/sh\nprintf '%s  # edited\\n' \"$(cat \"$1\")\" >\"$1.new\" && mv \"$1.new\" \"$1\"\n")
    edit.chmod(0o755)
    terminal = start(rows=14, EDITOR=str(edit))
    terminal.send("long_entry_name = 1\r")
    terminal.until(lambda: terminal.last() == ["py>"])
    terminal.send(f"{PASTE_BEGINS}def block():\r    return 1\r{PASTE_ENDS}")
    terminal.until(lambda: terminal.last() == ["py>"])
    wrong = []
    for keys, rows, cursor in RECORDED:
        terminal.send("\x0c")
        terminal.until(lambda: terminal.lines()[0].startswith("py>"))
        # ESC, if it is the last byte, and TAB wait for what may follow; all others are keys of their own.
        for part in [keys] if PASTE_BEGINS in keys else split_keys(keys):
            terminal.send(part)
            while terminal.read(0.004):
                pass
        end = time.monotonic() + 2

        def holds():
            return terminal.text().split("\n") == rows or terminal.lines()[: len(rows)] == rows

        while not (holds() and (cursor is None or terminal.cursor() == cursor)) and time.monotonic() < end:
            terminal.read(0.05)
        if not holds() or (cursor is not None and terminal.cursor() != cursor):
            wrong.append((keys, terminal.text(), terminal.cursor()))
        terminal.send("\x03")
        terminal.until(lambda: terminal.last() in (["py>"], ["ai>"]))
        if terminal.last() == ["ai>"]:
            terminal.send("\x1bp")
            terminal.until(lambda: terminal.last() == ["py>"])
    assert not wrong


def split_keys(keys):
    """One piece for each press, so that nothing looks like a burst."""
    parts = []
    at = 0
    while at < len(keys):
        end = at + 1
        if keys[at] == "\x1b" and keys[at + 1] in "[O":
            end = at + 3
            while not keys[end - 1].isalpha() and keys[end - 1] != "~":
                end += 1
        elif keys[at] == "\x1b" and keys[at + 1] in "]P":
            end = keys.index("\x07" if keys[at + 1] == "]" else "\\", at) + 1
        elif keys[at] == "\x1b":
            end = at + 2
        elif keys[at] >= " " and keys[at] != "\x7f":
            while end < len(keys) and keys[end] >= " " and keys[end] != "\x7f":
                end += 1
        parts.append(keys[at:end])
        at = end
    return parts


def test_an_entry_that_is_taller_than_the_screen_scrolls_with_the_cursor(start):
    terminal = start(rows=6)
    terminal.send(PASTE_BEGINS + "x = [\r" + "".join(f"  {n},\r" for n in range(20)) + PASTE_ENDS)
    terminal.until(lambda: "19," in terminal.text())
    assert "... " not in terminal.lines()[0] or terminal.lines()[4] == "...   19,"
    terminal.send("\x1b[1;5H")
    terminal.until(lambda: terminal.lines()[0] == "py> x = [")
    assert terminal.cursor() == (0, 4)
    terminal.send("\x1b[1;5F]\r")
    terminal.until(lambda: terminal.last() == ["py>"])
    terminal.send("len(x)\r")
    terminal.until(lambda: terminal.last(2) == ["20", "py>"])


def test_the_terminal_may_change_its_size(start):
    terminal = start()
    terminal.send("abcdefgh = '" + "z" * 60 + "'")
    terminal.until(lambda: terminal.text().endswith("'"))
    terminal.resize(40, 10)
    terminal.until(lambda: terminal.cursor() == (terminal.cursor()[0], (4 + 73) % 40) and terminal.text().endswith("z'"))
    assert entry_of(terminal)[0][0].startswith("py> abcdefgh = 'zzz")


def test_a_paste_of_three_thousand_lines_is_quick(start):
    terminal = start()
    text = "total = 0\r" + "".join(f"total = total + {n}  # {'x' * 30}\r" for n in range(3000)) + "print('to' + 'tal', total)\r"
    begun = time.monotonic()
    terminal.send(PASTE_BEGINS + text + PASTE_ENDS)
    terminal.until(lambda: "total 4498500" in terminal.text())
    assert time.monotonic() - begun < 5  # a tenth of a second for the editor; the rest is this emulator and a busy machine


def test_output_of_other_threads_appears_above_the_prompt(start, program):
    go = program.folder / "go"
    (program.work / "stubborn.py").write_text(f"""
import os, time
print('be' + 'gun')
while not os.path.exists({str(go)!r}):
    try:
        time.sleep(0.05)
    except KeyboardInterrupt:
        print('ignored')
print('a whole line')
print('an open ', end='', flush=True)
time.sleep(0.3)
print('line')
""")
    terminal = start()
    terminal.send("exec(open('stubborn.py').read())\r")
    terminal.until(lambda: terminal.last() == ["begun"])
    terminal.send("\x03")
    terminal.until(lambda: "ignored" in terminal.text())
    time.sleep(1.3)  # the second Ctrl-C counts only when the first had its time
    terminal.send("\x03")
    terminal.until(lambda: terminal.last() == ["py>"])
    terminal.send("half a l")
    terminal.until(lambda: terminal.last() == ["py> half a l"])
    go.touch()
    terminal.until(lambda: terminal.last(3) == ["a whole line", "an open", "py> half a l"])
    terminal.until(lambda: terminal.last(3) == ["a whole line", "an open line", "py> half a l"])
    terminal.send("ine")
    terminal.until(lambda: terminal.last() == ["py> half a line"])
    assert terminal.cursor()[1] == 15


def test_ctrl_z_and_fg_in_a_shell_bring_the_entry_back(program):
    terminal = Terminal(["bash", "--norc", "--noprofile", "-i"], str(program.work), program.environment({"PS1": "shell> "}))
    try:
        terminal.until(lambda: terminal.last() == ["shell>"])
        terminal.send(PROGRAM + "\r")
        terminal.until(lambda: terminal.last() == ["py>"])
        terminal.send("6 * ")
        terminal.until(lambda: terminal.last() == ["py> 6 *"])
        terminal.send("\x1a")
        terminal.until(lambda: terminal.last() == ["shell>"])
        assert "Stopped" in terminal.text()
        terminal.send("fg\r")
        terminal.until(lambda: terminal.last() == ["py> 6 *"])
        terminal.send("7\r")
        terminal.until(lambda: terminal.last(2) == ["42", "py>"])
    finally:
        terminal.end()


SIGNALS = ["SIGTERM", "SIGHUP", "SIGQUIT", "SIGABRT", "SIGSEGV"]


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_that_ends_the_program_gives_the_terminal_back(start, name):
    terminal = start()
    assert terminal.modes()[3] != terminal.modes_before[3]
    terminal.send("half a line")
    terminal.until(lambda: terminal.last() == ["py> half a line"])
    os.kill(terminal.process.pid, getattr(signal, name))
    terminal.process.wait(timeout=20)
    while terminal.read(0.1):
        pass
    assert terminal.process.returncode == -getattr(signal, name)
    assert terminal.bytes.rindex(b"\x1b[?2004l") > terminal.bytes.rindex(b"\x1b[?2004h")
    assert terminal.modes()[3] == terminal.modes_before[3] and terminal.modes()[0] == terminal.modes_before[0]


def test_ctrl_z_stops_the_program_with_the_terminal_as_it_was(start):
    terminal = start()
    terminal.send("6 * ")
    terminal.until(lambda: terminal.last() == ["py> 6 *"])
    os.kill(terminal.process.pid, signal.SIGTSTP)  # this process group has no parent shell: only the restored state is looked at
    terminal.until(lambda: terminal.bytes.count(b"\x1b[?2004l") >= 1)
    os.kill(terminal.process.pid, signal.SIGCONT)
    terminal.until(lambda: terminal.bytes.rindex(b"\x1b[?2004h") > terminal.bytes.rindex(b"\x1b[?2004l"))
    terminal.send("7\r")
    terminal.until(lambda: terminal.last(2) == ["42", "py>"])


def test_two_sessions_share_a_history_and_neither_is_lost(start, program):
    first, second = start(), start()
    file = program.home / ".local/state/pyaichat/history-py"
    for number in range(3):
        for name, terminal in (("first", first), ("second", second)):
            terminal.send(f"{name} = {number}\r")
            terminal.until(lambda: file.exists() and f"> {name} = {number}\n" in file.read_text())
    first.send("if first:\r")
    first.until(lambda: first.last()[0].startswith("..."))
    first.send("first\r\r")
    first.until(lambda: file.read_text().endswith("|     first\n"))
    first.process.kill()
    second.send("/quit\r")
    second.process.wait(timeout=20)
    lines = file.read_text().splitlines()
    assert [line for line in lines if line.startswith("> ")] == [
        f"> {name} = {number}" for number in range(3) for name in ("first", "second")] + ["> if first:"]
    assert lines[-1] == "|     first" and file.stat().st_mode & 0o777 == 0o600
    third = start()
    third.send("\x1b[A")
    third.until(lambda: third.last(2) == ["py> if first:", "...     first"])


def test_a_private_session_neither_reads_nor_writes_the_history(start, program):
    terminal = start("--private")
    terminal.send("x = 1\r")
    terminal.until(lambda: terminal.last() == ["py>"])
    terminal.send("\x04")
    terminal.process.wait(timeout=20)
    assert not (program.home / ".local").exists()


def test_ctrl_d_typed_while_a_statement_runs_leaves_after_it(start, program):
    terminal = start()
    go = program.folder / "go"
    terminal.send("import os\r")
    terminal.until(lambda: terminal.last() == ["py>"])
    terminal.send(f"print('be' + 'gun')\nwhile not os.path.exists({str(go)!r}): pass\r\r")
    terminal.until(lambda: "begun" in terminal.text())
    terminal.send("\x04")
    go.touch()
    terminal.process.wait(timeout=20)
    assert terminal.process.returncode == 0


def test_ctrl_d_in_a_block_ends_the_block_and_not_the_program(start):
    terminal = start()
    terminal.send("if True:\r")
    terminal.until(lambda: terminal.last()[0].startswith("..."))
    terminal.send("print('in' + 'side')\r")
    terminal.until(lambda: terminal.cursor()[1] == 8)
    terminal.send("\x04")
    terminal.until(lambda: terminal.last(2) == ["inside", "py>"])
    terminal.send("\x04")
    terminal.process.wait(timeout=20)
    assert terminal.process.returncode == 0
