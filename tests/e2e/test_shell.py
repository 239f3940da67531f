"""Commands: those of the assistant with --shell, and those that the person types behind `!`."""

import json
import os
import re

import pytest

from conftest import Screen
from fake_gemini import FakeGemini, calls, text


def exec_call(command, **more):
    return calls(("exec", {"command": command, **more}))


def replies(service, request):
    return [part["functionResponse"]["response"] for part in service.requests[request]["contents"][-1]["parts"]]


def ask(program, service, question="go", *options, **environment):
    """A session with --shell, in which the question was asked."""
    screen = program.start("--shell", *options, **service.environment(), **environment)
    screen.prompt()
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send(question + "\r")
    return screen


def question(always=""):
    return f"run it? yes, no, always {always} (in this session): " if always else "run it? yes, no: "


def test_without_the_option_there_is_no_command(program):
    with FakeGemini(text("Hello.")) as service:
        program.run("--ask", "hello", **service.environment())
        assert '"exec"' not in json.dumps(service.requests[0])
    with FakeGemini(text("Hello.")) as service:
        program.run("--shell", "--ask", "hello", **service.environment())
        assert '"exec"' in json.dumps(service.requests[0])


def test_without_a_terminal_a_command_is_denied_and_the_way_out_is_said(program):
    with FakeGemini(exec_call("touch made"), text("I may not.")) as service:
        done = program.run("--shell", "--ask", "go", **service.environment())
        assert replies(service, 1)[0]["error"]["code"] == "denied"
    assert "--allow exec" in done.stdout and "I may not." in done.stdout
    assert not (program.work / "made").exists()


def test_allow_runs_it_and_its_output_stands_indented_under_its_line(program):
    with FakeGemini(exec_call("echo one; echo two; exit 3"), text("Done.")) as service:
        done = program.run("--shell", "--allow", "exec", "--ask", "go", **service.environment())
        result = replies(service, 1)[0]["result"]
    assert result["output"] == "one\ntwo\n" and result["exit_code"] == 3
    assert re.search(r"· exec\(echo one; echo two; exit 3\) [\d.]+ m?s exit 3\n  one\n  two\n", done.stdout)


def test_the_question_shows_command_and_folder_with_control_characters_visible(program):
    with FakeGemini(exec_call("touch made\n\x1b[2Ktrue", cwd="."), text("I may not.")) as service:
        screen = ask(program, service)
        shown = screen.prompt(question())
        assert r"exec asks: it runs touch made\n\x1b[2Ktrue in " + str(program.work) in shown.replace("\n", "")
        assert "several lines" in shown
        assert "I may not." in screen.enter("no", then="ai> ")
    assert not (program.work / "made").exists()


def test_always_remembers_the_rule_and_not_the_line(program):
    with FakeGemini(exec_call("echo one"), exec_call("echo two | cat"), exec_call("echo three"), exec_call("echo four > made"),
                    text("Done.")) as service:
        screen = ask(program, service)
        screen.prompt(question("`echo`"))
        shown = screen.enter("always", then=question("`cat`"))
        assert "`echo` runs without asking in this session" in shown and "  one" in shown
        screen.enter("yes", then=question())
        screen.enter("always", then=question())  # there is no rule for a redirection
        shown = screen.enter("no", then="ai> ")
        assert "not run: denied" in shown and "Done." in shown
        assert [replies(service, request)[0]["ok"] for request in (1, 2, 3, 4)] == [True, True, True, False]


def test_the_rules_are_shown_and_changed(program):
    with FakeGemini(exec_call("echo one"), exec_call("rm -rf made"), text("Done.")) as service:
        screen = program.start("--shell", **service.environment())
        screen.prompt()
        assert "every command is asked about" in screen.enter("/shell")
        assert "allowed  echo" in screen.enter("/shell allow echo")
        shown = screen.enter("/shell deny rm")
        assert "denied   rm" in shown and "allowed  echo" in shown
        assert "is not a rule: it has a redirection" in screen.enter("/shell allow echo > x")
        assert "there is no rule `ls`" in screen.enter("/shell forget ls")
        screen.send("\t")
        screen.prompt("ai> ")
        assert "Done." in screen.enter("go", then="ai> ")
        assert "the rule `rm` denies it" in replies(service, 2)[0]["error"]["message"]
        assert "allowed" not in screen.enter("/shell forget echo", then="ai> ")
    assert "--shell" in program.run(stdin="/shell\n").stdout


def test_output_is_shown_while_the_command_runs(program):
    wait = "while ! test -e go; do sleep 0.05; done"
    with FakeGemini(exec_call(f"echo first; {wait}; echo second"), text("Done.")) as service:
        screen = ask(program, service, "go", "--allow", "exec", NO_COLOR="1")
        screen.expect_text("  first\r\n")
        (program.work / "go").touch()
        shown = screen.prompt("ai> ")
    assert "  second" in shown and re.search(r"\n  exec [\d.]+ m?s\n", shown) and "Done." in shown


def test_ctrl_c_ends_the_command_and_not_the_program(program):
    with FakeGemini(exec_call("echo $$ > id; echo on; sleep 1000"), text("Not reached yet.")) as service:
        screen = ask(program, service, "go", "--allow", "exec", NO_COLOR="1")
        screen.expect_text("  on\r\n")
        screen.send("\x03")
        assert "degraded: cancelled" in screen.prompt("ai> ")
        assert "Not reached yet." in screen.enter("again", then="ai> ")
        shell = (program.work / "id").read_text().strip()
        shown = screen.enter(f"!test -e /proc/{shell} || echo gone", then="ai> ")
    assert shown.endswith("gone\n")


def test_escape_sequences_of_a_command_do_not_reach_the_terminal(program):
    attack = "printf '\\033]0;title\\007\\033]52;c;aGk=\\007\\033[?1049h\\033[6n\\033[31mred\\033[0m\\n'"
    with FakeGemini(exec_call(attack), text("Done.")) as service:
        screen = ask(program, service, "go", "--allow", "exec")
        screen.expect_text("Done.")
        screen.prompt("ai> ")
        result = replies(service, 1)[0]["result"]
        screen.enter("!" + attack.replace("red", "typed"), then="ai> ")
    assert result["output"] == "red\n"
    for bad in ("\x1b]0;title", "\x1b]52;", "\x1b[?1049h", "\x1b[6n"):
        assert bad not in screen.seen
    assert "\x1b[31m" in screen.seen


def test_a_typed_command_runs_without_the_model(program):
    (program.work / "file.txt").write_text("content\n")
    screen = program.start()
    screen.prompt()
    assert screen.enter("!cat file.txt").endswith("content\n")
    assert "· exit 3" in screen.enter("!exit 3")
    assert "! takes a command" in screen.enter("!")
    assert "none" in screen.enter("!read -r word || echo none")
    screen.send("!printf 'o%s\\n' n; sleep 1000\r")
    screen.expect_text("on\r\n")
    screen.send("\x03")
    assert "SIGTERM" in screen.prompt()
    assert "42" in screen.enter("6 * 7")
    assert "content" in program.run(stdin="!cat file.txt\n").stdout


def test_a_typed_command_has_no_keys(program):
    done = program.run(stdin="!env\n", SOME_API_KEY="hidden", EDITOR="vi")
    assert "hidden" not in done.stdout and "EDITOR=vi" in done.stdout


def test_the_next_question_knows_a_typed_command_and_its_output(program):
    (program.work / "file.txt").write_text("content\n")
    with FakeGemini(calls(("get_last_entry", {})), text("A file.")) as service:
        screen = program.start(**service.environment())
        screen.prompt()
        screen.enter("!cat file.txt")
        screen.send("\t")
        screen.prompt("ai> ")
        screen.enter("what is this?", then="ai> ")
        entry = replies(service, 1)[0]["result"]
    assert entry["input"] == "!cat file.txt" and entry["output"] == "content\n"


def test_commands_run_beside_threads_of_python(program):
    threads = ("import threading, itertools; stop = threading.Event(); "
               "work = [threading.Thread(target=lambda: sum(1 for _ in iter(stop.is_set, True)), daemon=True) for _ in range(4)]; "
               "[one.start() for one in work]; print('started')")
    script = [exec_call(f"echo {number}") for number in range(5)]
    with FakeGemini(*script, text("Done.")) as service:
        screen = program.start("--shell", "--allow", "exec", **service.environment())
        screen.prompt()
        assert "started" in screen.enter(threads)
        assert "seen" in screen.enter("!echo seen")
        screen.send("\t")
        screen.prompt("ai> ")
        assert "Done." in screen.enter("go", then="ai> ")
        assert [replies(service, request)[0]["result"]["output"] for request in range(1, 6)] == [f"{n}\n" for n in range(5)]
        screen.send("\t")
        screen.prompt("py> ")
        assert "[True, True, True, True] 0" in screen.enter("print([one.is_alive() for one in work], stop.set() or 0)")


@pytest.mark.skipif(not os.environ.get("PYAICHAT_SHELL_ASSISTANT"), reason="the example was not built")
def test_the_example_asks_shows_and_remembers(program):
    (program.work / "notes.txt").write_text("buy milk\n")
    script = [calls(("read_file", {"name": "notes.txt"}), ("exec", {"command": "wc -l notes.txt"})), exec_call("touch made"),
              exec_call("sort notes.txt"), exec_call("sort -r notes.txt"), calls(("read_file", {"name": "../home"})),
              exec_call("rm notes.txt"), text("Done.")]
    with FakeGemini(*script) as service:
        screen = Screen(os.environ["PYAICHAT_SHELL_ASSISTANT"], [], cwd=str(program.work), env=program.environment(service.environment()))
        program.started.append(screen)
        screen.prompt("> ")
        screen.send("what is there?\r")
        assert "touch made" in screen.prompt("yes, no, always? ")
        screen.send("no\r")
        assert "sort notes.txt" in screen.prompt("yes, no, always? ")
        screen.send("always\r")
        assert screen.prompt("> ").rstrip().endswith("Done.")
        told = [replies(service, request) for request in range(1, 7)]
    assert told[0][0]["result"] == "buy milk\n" and told[0][1]["result"]["output"] == "1 notes.txt\n"
    assert told[1][0]["error"]["code"] == "denied" and not (program.work / "made").exists()
    assert told[2][0]["result"]["output"] == told[3][0]["result"]["output"] == "buy milk\n"
    assert not told[4][0]["ok"] and told[5][0]["error"]["code"] == "denied" and (program.work / "notes.txt").exists()
