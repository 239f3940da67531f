"""A person at a terminal: prompts, modes, blocks, pastes, Ctrl-C, leaving."""

import os
import re
import signal
import termios
import time

import pexpect
import pytest

from conftest import plain

PASTE_BEGINS, PASTE_ENDS = "\x1b[200~", "\x1b[201~"


def test_it_starts_in_python_mode_and_says_how_to_set_a_key(program):
    screen = program.start()
    shown = screen.prompt("py> ")
    assert "GEMINI_API_KEY" in shown and "offline provider" in shown
    assert screen.enter("6 * 7").strip().endswith("42")
    assert screen.enter("_ + 1").strip().endswith("43")


def test_tab_on_an_empty_line_switches_the_mode_both_ways(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send("\t")
    screen.prompt("py> ")
    assert "42" in screen.enter("6 * 7")


def test_alt_p_switches_the_mode_and_keeps_the_line(program):
    screen = program.start("--no-color")  # the shown code is looked for as it was typed
    screen.prompt("py> ")
    screen.send("1 + 1")
    screen.send("\x1bp")
    screen.prompt("ai> 1 + 1")
    screen.send("\x1bp")
    screen.prompt("py> 1 + 1")
    assert "2" in screen.enter("")


def test_a_question_is_answered_through_calls_that_are_shown(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("x = [1, 2, 41]")
    screen.send("\t")
    screen.prompt("ai> ")
    shown = screen.enter("what is x?", then="ai> ")
    assert re.search(r"· get_repr\(x\) \d+\.\d ms", shown)
    assert shown.count("`x` is a list of 3 items: [1, 2, 41]") == 1
    screen.send("\t")
    screen.prompt("py> ")
    assert "41" in screen.enter("x[2]")


def test_a_block_goes_on_until_an_empty_line_and_tab_indents_it(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("def twice(n):", then="... ")
    screen.send("\t")
    screen.enter("return 2 * n", then="... ")
    screen.enter("", then="py> ")
    assert "42" in screen.enter("twice(21)")


def test_open_brackets_end_a_block_without_an_empty_line(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("x = [1,", then="... ")
    screen.enter("2]", then="py> ")
    assert "3" in screen.enter("sum(x)")


def test_tab_completes_names_and_attributes_without_running_user_code(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("exec('class Trap:\\n    ran = []\\n    @property\\n    def attribute_one(self): self.ran.append(1); return 7')")
    screen.enter("long_name = Trap()")
    screen.send("long_n\t")
    screen.expect_text("ame")
    screen.send(".attr\t")
    screen.expect_text("ibute_one")
    screen.send("\x01len(Trap.ran), \r")  # to the start of the line
    assert "(0, 7)" in screen.prompt()
    screen.send("no_such_na\t")
    screen.send("\x03")
    screen.prompt()


def test_errors_are_shown_without_the_frames_of_the_host(program):
    screen = program.start()
    screen.prompt("py> ")
    shown = screen.enter("1 / 0")
    assert "ZeroDivisionError: division by zero" in shown
    assert shown.count("File ") == 1
    assert "SyntaxError" in screen.enter("x = = 1")
    assert "1" in screen.enter("1")


def test_ctrl_c_at_the_prompt_clears_the_line_and_spares_the_next_statement(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send("this is not wanted")
    screen.expect_text("wanted")
    screen.send("\x03")
    screen.prompt("py> ")
    shown = screen.enter("sum(range(10))")
    assert "45" in shown and "KeyboardInterrupt" not in shown
    screen.enter("if True:", then="... ")
    screen.send("\x03")
    screen.prompt("py> ")
    assert "2" in screen.enter("1 + 1")


@pytest.mark.parametrize("code", ["while True: pass", "import time; time.sleep(1000)", "[0 for _ in iter(int, 1)]"])
def test_ctrl_c_while_python_runs_raises_keyboard_interrupt(program, code):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("x = 1")
    # A statement of its own before the loop says when it has begun.
    if code.startswith("while"):
        screen.send("exec(\"print('be' + 'gun')\\nwhile True: pass\")\r")
    else:
        screen.send(f"print('be' + 'gun'); {code}\r")
    screen.expect_text("begun")
    time.sleep(0.2)  # into the loop, behind the print
    begun = time.monotonic()
    screen.send("\x03")
    assert "KeyboardInterrupt" in screen.prompt("py> ")
    assert time.monotonic() - begun < 2
    assert "1" in screen.enter("x")


def test_a_statement_that_nothing_stops_is_left_to_itself_and_leaving_is_quick(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send("print('be' + 'gun'); sum(range(10**12))\r")
    screen.expect_text("begun")
    time.sleep(0.2)
    screen.send("\x03")
    time.sleep(1.3)  # the second one counts only when the first had its time
    screen.send("\x03")
    assert "does not react" in screen.prompt("py> ")
    assert "busy with" in screen.enter("1 + 1")
    screen.send("\t")
    screen.prompt("ai> ")
    shown = screen.enter("what is going on?", then="ai> ")
    assert "sum(range(10**12)) has been running" in shown and "<input 1> line 1" in shown
    seconds, status = screen.leave("/quit\r")
    assert seconds < 1 and status == 0


@pytest.mark.parametrize("code", ["[0 for _ in iter(int, 1)]", "__import__('time').sleep(1000)", "sum(range(10**12))"])
@pytest.mark.parametrize("keys", ["\x04", "/quit\r"])
def test_leaving_takes_less_than_a_second_whatever_python_still_does(program, code, keys):
    screen = program.start("--timeout", "7", "--eval-policy", "unrestricted")
    screen.prompt("py> ")
    screen.send("\t")
    screen.prompt("ai> ")
    shown = screen.enter(f"compute {code}", then="ai> ")
    assert "timeout" in shown or "in_doubt" in shown
    seconds, status = screen.leave(keys)
    assert seconds < 1
    assert status == 0 or status == 3


def test_ctrl_c_while_a_call_runs_cancels_the_question_and_keeps_the_session(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("x = 1")
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send("compute __import__('time').sleep(1000)\r")
    time.sleep(0.5)
    begun = time.monotonic()
    screen.send("\x03")
    shown = screen.prompt("ai> ")
    assert time.monotonic() - begun < 2
    assert "cancelled" in shown
    assert "`x` is an int: 1" in screen.enter("what is x?", then="ai> ")


@pytest.mark.parametrize("keys", ["\x04", "/quit\r", "exit()\r"])
def test_leaving_at_a_prompt(program, keys):
    screen = program.start()
    screen.prompt("py> ")
    seconds, status = screen.leave(keys)
    assert seconds < 1 and status == 0


def test_ctrl_d_on_a_line_with_text_does_not_leave(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send("1 + 1\x04")
    assert "2" in screen.enter("")


def test_exit_with_a_number_is_the_exit_status(program):
    screen = program.start()
    screen.prompt("py> ")
    assert screen.leave("raise SystemExit(7)\r")[1] == 7


def test_a_pasted_tab_never_switches_the_mode(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send(f"{PASTE_BEGINS}\t{PASTE_ENDS}")
    screen.send("\x03")
    assert "ai> " not in screen.prompt("py> ")
    # Without the terminal's marks: a TAB at the start of a burst.
    screen.send("\t\tmarker")
    screen.expect_text("marker")
    assert "ai> " not in screen.seen
    screen.send("\x03")
    screen.prompt("py> ")


def test_a_pasted_block_with_tabs_and_empty_lines_runs_as_it_is(program):
    screen = program.start()
    screen.prompt("py> ")
    block = "def f(n):\r\tif n:\r\t\treturn 'yes'\r\r\treturn 'no'\rprint('got', f(1), f(0))\r"
    screen.send(PASTE_BEGINS + block + PASTE_ENDS)
    screen.expect_text("got yes no")
    assert "Error" not in plain(screen.seen)
    screen.prompt("py> ")
    assert "ai> " not in screen.seen


def test_a_prompt_that_was_stopped_edits_again_when_it_goes_on(program):
    screen = program.start("--no-color")  # the shown code is looked for as it was typed
    screen.prompt("py> ")
    screen.send("6 * 7")
    screen.expect_text("6 * 7")
    os.kill(screen.pid, signal.SIGSTOP)
    # What a shell does with the terminal of a stopped job.
    modes = termios.tcgetattr(screen.child_fd)
    modes[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(screen.child_fd, termios.TCSANOW, modes)
    os.kill(screen.pid, signal.SIGCONT)
    screen.expect_text("6 * 7")
    assert "42" in screen.enter("")
    screen.send("\t")
    screen.prompt("ai> ")


def test_the_prompt_asks_for_marked_pastes_and_stops_before_python_runs(program):
    screen = program.start()
    screen.expect_text("\x1b[?2004h")
    screen.prompt("py> ")
    screen.send("print('out' + 'put')\r")
    assert "\x1b[?2004l" in screen.expect_text("output")


def test_blank_lines_within_a_text_of_several_lines_stay_as_typed(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter('s = """a', then="... ")
    screen.enter("    ", then="... ")
    screen.enter('"""')
    assert "'a\\n    \\n'" in screen.enter("s")
    screen.enter("if True:", then="... ")
    screen.enter("    y = 6 * 7", then="... ")
    screen.enter("    ")  # blanks end a block as an empty line does
    assert "42" in screen.enter("y")


def test_a_question_pasted_in_several_lines_is_one_question(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send(f"{PASTE_BEGINS}compute\r1 +\t41\r{PASTE_ENDS}")
    screen.expect_text("41")
    assert "`1 + 41` is 42" in screen.enter("", then="ai> ")
    assert screen.seen.count("eval_expr") == 1


def test_leaving_a_prompt_is_no_error_whatever_happened_before(program):
    for keys in ("\x04", "/quit\r"):
        screen = program.start("--exec", "1 / 0")
        screen.prompt("py> ")
        screen.enter("1 / 0")
        assert screen.leave(keys)[1] == 0


def test_no_home_folder_is_made_for_the_history(program):
    home = program.folder / "nowhere"
    screen = program.start(HOME=str(home))
    screen.prompt("py> ")
    screen.enter("x = 1")
    assert screen.leave()[1] == 0
    assert not home.exists()


def test_commands(program):
    screen = program.start()
    screen.prompt("py> ")
    assert "/quit" in screen.enter("/help")
    screen.enter("answer = 42")
    assert "answer (int)" in screen.enter("/vars")
    assert "offline provider" in screen.enter("/model")
    assert "no models to choose from" in screen.enter("/model gemini-2.5-pro")
    assert "memory is on" in screen.enter("/memory on")
    assert "expressions: ask" in screen.enter("/eval ask")
    assert "/eval takes structural" in screen.enter("/eval whatever")
    assert "expressions: ask" in screen.enter("/eval")
    assert "unknown command" in screen.enter("/nonsense")
    assert "nothing was asked yet" in screen.enter("/trace")
    screen.enter("/mode", then="ai> ")
    screen.enter("/mode py", then="py> ")


def test_history_is_kept_per_mode_in_the_state_folder(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("first = 1")
    screen.send("\t")
    screen.prompt("ai> ")
    screen.enter("what is first?", then="ai> ")
    screen.leave()
    assert "first" in (program.home / ".local/state/pyaichat/history-py").read_text()
    again = program.start("--no-color")  # the shown code is looked for as it was typed
    again.prompt("py> ")
    again.send("\x1b[A")
    again.expect_text("first = 1")
    again.send("\x03")
    again.prompt("py> ")
    again.send("\t")
    again.prompt("ai> ")
    again.send("\x1b[A")
    again.expect_text("what is first?")


def test_history_follows_the_xdg_convention(program):
    screen = program.start(XDG_STATE_HOME=str(program.folder / "state"))
    screen.prompt("py> ")
    screen.enter("x = 1")
    screen.leave()
    assert (program.folder / "state/pyaichat/history-py").exists()
    assert not (program.home / ".local").exists()


def test_text_outside_ascii_can_be_typed_even_without_a_locale(program):
    screen = program.start(LANG="C")
    screen.prompt("py> ")
    assert "7" in screen.enter("größe = 'déjà vu'; len(größe)")


@pytest.mark.parametrize("terminal", ["dumb", ""])
def test_a_dumb_terminal_gets_plain_lines(program, terminal):
    screen = program.start(TERM=terminal)
    shown = screen.prompt("py> ")
    assert "/mode: Python or assistant" in shown and "TAB:" not in shown
    assert "42" in screen.enter("6 * 7")
    screen.enter("\t", then="ai> ")
    assert "`1 + 1` is 2" in screen.enter("compute 1 + 1", then="ai> ")
    screen.enter("/mode", then="py> ")
    screen.send("\x03")
    screen.prompt("py> ")
    assert screen.leave()[1] == 0
    assert "\x1b" not in screen.seen


@pytest.mark.parametrize("off", [{"NO_COLOR": "1"}, {}])
def test_no_color_is_honoured(program, off):
    screen = program.start(*([] if off else ["--no-color"]), **off)
    screen.prompt("py> ")
    screen.send("\t")
    screen.prompt("ai> ")
    screen.enter("compute 1 + 1", then="ai> ")
    assert "\x1b[2m" not in screen.seen
    coloured = program.start()
    coloured.prompt("py> ")
    assert "\x1b[2m" in coloured.seen


def test_code_and_scripts_given_at_a_terminal_come_before_the_prompt(program):
    (program.work / "script.py").write_text("y = 5\n")
    screen = program.start("script.py", "--exec", "x = y * 2")
    screen.prompt("py> ")
    assert "10" in screen.enter("x")
    asking = program.start("--exec", "x = 1", "--ask", "what is x?")
    asking.expect_text("`x` is an int: 1")
    asking.expect(pexpect.EOF)


def test_escape_sequences_in_an_answer_do_not_reach_the_terminal(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.enter("def f():\n", then="... ")
    screen.send("\x03")
    screen.prompt("py> ")
    screen.enter("exec(\"def f():\\n    'red \\\\x1b[31m bell \\\\x07 text'\")")
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send("documentation of f\r")
    shown = screen.expect_text("text")
    assert "\x1b[31m" not in shown and "\x07" not in shown
