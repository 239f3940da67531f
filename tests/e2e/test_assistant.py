"""The assistant at the prompt: Markdown, the status line, what the last entry was, memory, files, code to use, help, and offers."""

import json
import os
import re
import stat
import time

import pytest

from conftest import plain
from fake_gemini import KEY, FakeGemini, Hang, calls, text

MARKDOWN = "It is **big**:\n\n| name | n |\n|---|--:|\n| `a` | 1 |\n\n```python\nx = 6 * 7\n```\n- done\n"


def ask(screen, question, then="ai> "):
    return screen.enter(question, then=then)


def at_assistant(program, service, *arguments, **environment):
    screen = program.start(*arguments, **service.environment(**environment))
    screen.prompt("py> ")
    screen.send("\t")
    screen.prompt("ai> ")
    return screen


def test_markdown_is_shown_with_styles_in_a_terminal(program):
    with FakeGemini(text(MARKDOWN)) as service:
        screen = at_assistant(program, service)
        screen.send("tell\r")
        raw = screen.expect_text("ai> ")
    assert "\x1b[1mbig\x1b[0m" in raw
    shown = plain(raw)
    assert "It is big:" in shown and "[1] python" in shown and "x = 6 * 7" in shown and "• done" in shown
    assert "name │ n" in shown and "a    │ 1" in shown
    assert "**" not in shown and "```" not in shown


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_without_colours_markdown_stays_as_it_is(program, environment):
    with FakeGemini(text(MARKDOWN)) as service:
        screen = program.start(**service.environment(**environment))
        screen.prompt("py> ")
        screen.enter("/mode ai", then="ai> ")
        shown = ask(screen, "tell")
    assert MARKDOWN.strip() in shown


def test_over_a_pipe_markdown_stays_as_it_is_and_nothing_is_added(program):
    with FakeGemini(text(MARKDOWN)) as service:
        done = program.run("--ask", "tell", **service.environment())
    assert done.stdout == MARKDOWN and done.returncode == 0


def test_a_wait_shows_the_model_the_step_and_the_seconds_and_is_erased(program):
    with FakeGemini(Hang) as service:
        screen = at_assistant(program, service)
        screen.send("hello\r")
        screen.expect(r"· asking gemini-3\.8-flash · step 1 of 6 · (\d+\.\d) s")
        first = float(screen.match[1])
        screen.expect(r"· asking gemini-3\.8-flash · step 1 of 6 · (\d+\.\d) s")
        assert float(screen.match[1]) > first
        screen.send("\x03")
        screen.expect_exact("\r\x1b[K")
        assert "cancelled" in screen.prompt("ai> ")


def test_the_status_line_is_not_written_to_a_pipe(program):
    with FakeGemini(text("Hello.")) as service:
        done = program.run("--exec", "import time", "--ask", "hello", **service.environment())
    assert done.stdout == "Hello.\n"


def test_the_end_of_an_answer_shows_its_tokens_and_cost_adds_them_up(program):
    with FakeGemini(text("Hello.")) as service:
        screen = at_assistant(program, service)
        assert "nothing was asked yet" in ask(screen, "/cost")
        assert re.search(r"· 10 tokens in, 5 out · \d+\.\d s", ask(screen, "hello"))
        ask(screen, "hello again")
        assert re.search(r"gemini-3\.8-flash: 2 questions, 20 tokens in, 10 out · \d+\.\d s", ask(screen, "/cost"))


def test_the_offline_provider_shows_no_tokens(program):
    screen = program.start("--exec", "x = 1")
    screen.prompt("py> ")
    screen.send("\t")
    screen.prompt("ai> ")
    assert "tokens" not in ask(screen, "what is x?")


def test_many_calls_of_a_step_are_folded(program):
    wanted = [("get_repr", {"expr": f"x + {n}"}) for n in range(9)]
    with FakeGemini(calls(*wanted), text("Done.")) as service:
        screen = at_assistant(program, service, "--exec", "x = 1")
        shown = ask(screen, "look")
        assert shown.count("· get_repr(") == 6 and "· 3 more calls, /trace shows them" in shown
        assert ask(screen, "/trace").count("call_finished") == 9


def test_the_model_learns_what_was_entered_last(program):
    with FakeGemini(calls(("get_last_entry", {})), text("It defines f.")) as service:
        screen = program.start(**service.environment())
        screen.prompt("py> ")
        screen.enter("print('out' + 'put'); password = 'xoxb-123456789012-123456789012-abcdefabcdefabcdefabcdef'; 1 / 0")
        screen.send("\t")
        screen.prompt("ai> ")
        assert "It defines f." in ask(screen, "what does this do?")
        reply = service.requests[1]["contents"][-1]["parts"][0]["functionResponse"]["response"]
        assert "get_last_entry" in json.dumps(service.requests[0]["tools"])
        assert "get_last_entry" in json.dumps(service.requests[0]["systemInstruction"])
    result = reply["result"]
    assert result["output"] == "output\n" and result["truncated"] is False and result["names"] == ["password"]
    assert result["exception"] == {"exc_type": "ZeroDivisionError", "message": "division by zero"}
    assert result["question"] is None and result["answer"] is None
    assert "***" in result["input"] and "xoxb-1234" not in json.dumps(reply)


def test_a_long_output_arrives_with_its_begin_and_its_end(program):
    with FakeGemini(calls(("get_last_entry", {})), text("Much.")) as service:
        program.run("--exec", "print('begin'); print('x' * 100000); print('end')", "--ask", "what is this?", **service.environment())
        result = service.requests[1]["contents"][-1]["parts"][0]["functionResponse"]["response"]["result"]
    assert result["truncated"] is True and len(result["output"]) < 2200
    assert result["output"].startswith("begin\n") and result["output"].endswith("end\n")


def test_memory_sends_the_earlier_turns_and_says_how_much(program):
    with FakeGemini(text("First answer."), text("Second answer.")) as service:
        screen = at_assistant(program, service)
        assert "memory is on" in ask(screen, "/memory on")
        ask(screen, "first question")
        assert re.search(r"1 turn, about \d+ tokens of", ask(screen, "/memory"))
        ask(screen, "second question")
        said = [part["text"] for content in service.requests[1]["contents"] for part in content["parts"]]
        assert said == ["first question", "First answer.", "second question"]
        assert "memory is off" in ask(screen, "/memory off")


def test_again_asks_the_last_question_and_edit_puts_it_into_the_editor(program):
    with FakeGemini(text("Hello.")) as service:
        screen = program.start(**service.environment())
        screen.prompt("py> ")
        assert "nothing was asked yet" in screen.enter("/again")
        screen.send("\t")
        screen.prompt("ai> ")
        ask(screen, "first")
        assert "Hello." in ask(screen, "/again")
        screen.send("/edit\r")
        screen.expect_text("ai> ")
        screen.expect_text("first")
        assert "Hello." in ask(screen, " again")
        asked = [request["contents"][-1]["parts"][0]["text"] for request in service.requests]
    assert asked == ["first", "first", "first again"]


def test_code_of_an_answer_is_put_into_the_editor_and_runs_only_on_enter(program):
    shown_code = r"x = [^\r\n]*6[^\r\n]* \* [^\r\n]*7"  # with or without colours
    with FakeGemini(text(MARKDOWN)) as service:
        screen = at_assistant(program, service)
        assert "no code" in ask(screen, "/use 1")
        ask(screen, "tell")
        assert "1 to 1" in ask(screen, "/use 2")
        screen.send("/use 1\r")
        screen.expect_text("py> ")
        screen.expect(shown_code)
        screen.send("\x03")
        screen.prompt("py> ")
        assert "NameError" in screen.enter("x")
        screen.send("/use\r")
        screen.expect(shown_code)
        screen.enter("")
        assert "42" in screen.enter("x")


def test_a_name_with_question_marks_shows_documentation_and_source(program):
    program_file = program.work / "code.py"
    program_file.write_text('def area(w, h=2):\n    """The area of a box."""\n    return w * h\n')
    screen = program.start("code.py")
    screen.prompt("py> ")
    shown = screen.enter("area?")
    assert "type function" in shown and "signature area(w, h=2)" in shown and "The area of a box." in shown
    assert "return w * h" in screen.enter("area??")
    assert "nothing is known about nosuch" in screen.enter("nosuch?")
    assert "no source" in screen.enter("len??")


def test_help_about_an_object_runs_no_code_of_it(program):
    done = program.run(stdin="class Trap:\n    ran = []\n    @property\n    def __doc__(self): self.ran.append(1); return 'x'\n"
                             "    def __repr__(self): self.ran.append(2); return 'y'\n\nt = Trap()\nt?\nt??\nprint(Trap.ran)\n")
    assert done.stdout.endswith("[]\n")


def test_a_shell_command_is_refused_in_one_line(program):
    done = program.run(stdin="!ls -l\nprint(1)\n")
    assert "this build has no shell" in done.stderr and done.stdout == "1\n" and done.returncode == 0


def test_an_unknown_command_names_the_nearest(program):
    assert "unknown command /trcae; did you mean /trace?" in program.run(stdin="/trcae\n").stderr


def test_commands_complete(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send("/mem\t")
    screen.expect_text("ory")
    assert "memory is off" in screen.enter("")


def test_english_at_the_python_prompt_can_be_asked_with_tab(program):
    with FakeGemini(text("Forty-two.")) as service:
        screen = program.start(**service.environment())
        screen.prompt("py> ")
        shown = screen.enter("how do I reverse a list?")
        assert "SyntaxError" in shown and "ask this? TAB" in shown
        screen.send("\t")
        screen.expect_text("ai> ")
        screen.expect_text("how do I reverse a list?")
        assert "Forty-two." in screen.enter("", then="ai> ")
        screen.send("\t")
        screen.prompt("py> ")
        screen.enter("how do I reverse a list?")
        screen.enter("1 + 1")  # the offer is gone
        screen.send("\t")
        assert "reverse" not in screen.prompt("ai> ")


def test_an_ordinary_syntax_error_offers_nothing(program):
    screen = program.start()
    screen.prompt("py> ")
    assert "ask this?" not in screen.enter("x = = 1")


def test_a_question_while_python_is_busy_says_so_at_once(program):
    screen = program.start()
    screen.prompt("py> ")
    screen.send("print('be' + 'gun'); sum(range(10**12))\r")
    screen.expect_text("begun")
    time.sleep(0.2)
    screen.send("\x03")
    time.sleep(1.3)
    screen.send("\x03")
    screen.prompt("py> ")
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send("what is x?\r")
    begun = time.monotonic()
    screen.expect_text("answers come from memory")
    assert time.monotonic() - begun < 0.2 + screen.delaybeforesend
    screen.prompt("ai> ")
    screen.leave("/quit\r")


def test_a_session_is_saved_and_loaded(program):
    with FakeGemini(text("First answer."), text("Second answer.")) as service:
        screen = program.start(**service.environment())
        screen.prompt("py> ")
        screen.enter("x = [1, 2]")
        screen.enter("handle = open('/dev/null')")
        screen.enter("secret = 'the key is " + KEY + "'")
        screen.enter("f = lambda: 1")
        screen.enter("import os")
        screen.enter("/memory on")
        screen.send("\t")
        screen.prompt("ai> ")
        ask(screen, "first question")
        shown = ask(screen, "/save work.json --all")
        assert "1 turn and 1 variable to work.json" in shown
        assert "not kept: handle: TypeError" in shown and "not kept: secret: it contains the key" in shown and "not kept: f: " in shown
        assert screen.leave("/quit\r")[1] == 0
        path = program.work / "work.json"
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert KEY not in path.read_text() and KEY.encode().hex() not in path.read_text()

        again = program.start(**service.environment())
        again.prompt("py> ")
        again.send("/load work.json\r")
        again.expect_text("Loading x runs code")
        again.expect_text("yes or no: ")
        again.send("yes\r")
        assert "loaded 1 variable" in again.prompt("py> ")
        assert "[1, 2]" in again.enter("x")
        assert "memory is on" in again.enter("/memory")
        again.send("\t")
        again.prompt("ai> ")
        ask(again, "second question")
        said = [part["text"] for content in service.requests[-1]["contents"] for part in content["parts"]]
        assert said == ["first question", "First answer.", "second question"]


def test_without_a_yes_no_pickle_is_loaded(program):
    done = program.run(stdin="x = 5\n/save w.json x\n")
    assert "saved 1 entry, 0 turns and 1 variable to w.json" in done.stdout
    piped = program.run(stdin="/load w.json\nprint('x' in globals())\n")
    assert "were not loaded" in piped.stderr and piped.stdout.endswith("False\n")
    screen = program.start()
    screen.prompt("py> ")
    screen.send("/load w.json\r")
    screen.expect_text("yes or no: ")
    screen.send("no\r")
    assert "not loaded" in screen.prompt("py> ")
    assert "NameError" in screen.enter("x")


def test_what_cannot_be_saved_is_named_and_is_not_the_last_exception(program):
    done = program.run(stdin="h = open('/dev/null')\n/save w.json h nosuch x.y\n/mode\nwhy did it fail?\n")
    assert "not kept: h: TypeError: cannot pickle" in done.stdout and "not kept: nosuch: it is not defined" in done.stdout
    assert "not kept: x.y: it is not the name of a variable" in done.stdout
    assert "TypeError" not in done.stdout.split("x.y")[1]


def test_where_the_editor_takes_no_text_the_code_is_printed(program):
    with FakeGemini(text(MARKDOWN)) as service:
        done = program.run(stdin="/mode\ntell\n/use 1\n/mode\n/edit\n", **service.environment())
    assert done.stdout.endswith("x = 6 * 7\ntell\n") and done.returncode == 0


def test_a_damaged_file_is_refused_with_a_reason(program):
    (program.work / "bad.json").write_text('{"pyaichat_session": 1, "entries": [1')
    (program.work / "other.json").write_text('{"a": 1}')
    done = program.run(stdin="/load bad.json\n/load other.json\n/load nowhere.json\n/load\n/save\n")
    assert "bad.json: the file is damaged: it is not JSON" in done.stderr
    assert "other.json: the file is not a session" in done.stderr and "cannot read nowhere.json" in done.stderr
    assert "/load takes" in done.stderr and "/save takes" in done.stderr
