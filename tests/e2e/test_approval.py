"""Calls that need approval: asked at a terminal, denied without one unless --allow names them."""

import pathlib
import re
import threading

import pexpect
import pytest

from conftest import SECONDS, needs_plugins
from fake_gemini import FakeGemini, calls, text

DOORS = str(pathlib.Path(__file__).resolve().parents[2] / "plugins" / "lua" / "doors.lua")
QUESTION = "run it? yes, no, always (in this session): "
OPEN = ("open_door", {"id": "attic"})
ASKS_ABOUT_CODE = """
return { name = "careful", api = 1, hooks = { before_call = function(call)
    if call.name == "eval_expr" then return { ask = "it runs \\27[31m code" } end
end } }
"""

pytestmark = needs_plugins


def replies(service, request):
    return [part["functionResponse"]["response"] for part in service.requests[request]["contents"][-1]["parts"]]


def ask_at_terminal(program, service, *options):
    screen = program.start("--plugin", DOORS, *options, **service.environment())
    screen.prompt()
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send("open the attic\r")
    return screen


def test_without_a_terminal_it_is_denied_and_the_way_out_is_said(program):
    with FakeGemini(calls(OPEN), text("I may not.")) as service:
        done = program.run("--plugin", DOORS, "--ask", "open the attic", **service.environment())
        reply = replies(service, 1)[0]
    assert done.returncode == 0 and "I may not." in done.stdout
    assert "--allow open_door" in done.stdout and "not run: denied" in done.stdout
    assert reply["ok"] is False and reply["error"]["code"] == "denied" and "nobody is available" in reply["error"]["message"]


@pytest.mark.parametrize("allowed", ["open_door", "all", "get_repr,open_door"])
def test_what_allow_names_runs(program, allowed):
    with FakeGemini(calls(OPEN), text("It is open.")) as service:
        reports, done = program.ask_json("--plugin", DOORS, "--allow", allowed, "--ask", "open the attic", **service.environment())
    assert done.returncode == 0
    assert [(one["name"], one["code"]) for one in reports[0]["calls"]] == [("open_door", "ok")]


def test_with_json_it_is_denied_and_only_reports_are_on_standard_output(program):
    with FakeGemini(calls(OPEN), text("I may not.")) as service:
        reports, done = program.ask_json("--plugin", DOORS, "--ask", "open the attic", **service.environment())
    assert reports[0]["calls"][0]["code"] == "denied" and "--allow open_door" in done.stderr


def test_an_unknown_name_is_wrong_usage_with_the_nearest_one(program):
    done = program.run("--plugin", DOORS, "--allow", "open_dor", "--exec", "print('ran')")
    assert done.returncode == 2 and done.stdout == ""
    assert "open_dor; did you mean open_door?" in done.stderr


def test_yes_runs_it_once_and_the_next_one_is_asked_about_again(program):
    with FakeGemini(calls(OPEN), calls(OPEN), text("It is open.")) as service:
        screen = ask_at_terminal(program, service)
        shown = screen.prompt(QUESTION)
        assert re.search(r'· open_door \{"id":"attic"\} wants to run: it changes something, and comes from .*doors\.lua', shown)
        screen.enter("perhaps", then=QUESTION)
        assert re.search(r"· open_door\(attic\) \d+\.\d ms", screen.enter("yes", then=QUESTION))
        shown = screen.enter("n", then="ai> ")
        assert "open_door(attic) not run: denied" in shown and "It is open." in shown
        assert replies(service, 1)[0]["ok"] is True
        refused = replies(service, 2)[0]["error"]
    assert refused["code"] == "denied" and "the person has refused" in refused["message"]


def test_always_holds_for_the_session(program):
    with FakeGemini(calls(OPEN), calls(("open_door", {"id": "cellar", "force": True})), text("Open."), calls(OPEN), text("Still open.")) as service:
        screen = ask_at_terminal(program, service)
        screen.prompt(QUESTION)
        assert "Open." in screen.enter("always", then="ai> ")
        assert "Still open." in screen.enter("and again", then="ai> ")
        assert all(reply["ok"] for request in (1, 2, 4) for reply in replies(service, request))
    assert screen.seen.count(QUESTION) == 1


def test_several_calls_of_one_response_are_asked_about_one_by_one(program):
    both = calls(OPEN, ("open_door", {"id": "cellar", "force": True}))
    with FakeGemini(both, text("One is open.")) as service:
        screen = ask_at_terminal(program, service)
        screen.prompt(QUESTION)
        screen.enter("no", then=QUESTION)
        screen.enter("yes", then="ai> ")
        assert [reply["ok"] for reply in replies(service, 1)] == [False, True]


def test_ctrl_c_at_the_question_cancels_the_run_and_keeps_the_session(program):
    with FakeGemini(calls(OPEN), text("Not reached yet.")) as service:
        screen = ask_at_terminal(program, service)
        screen.prompt(QUESTION)
        screen.send("\x03")
        assert "degraded: cancelled" in screen.prompt("ai> ")
        assert len(service.requests) == 1
        assert "Not reached yet." in screen.enter("hello?", then="ai> ")
        screen.send("\t")
        screen.prompt("py> ")
        assert "42" in screen.enter("6 * 7")


def test_ctrl_d_at_the_question_is_a_no(program):
    with FakeGemini(calls(OPEN), text("Then not.")) as service:
        screen = ask_at_terminal(program, service)
        screen.prompt(QUESTION)
        screen.send("\x04")
        assert "Then not." in screen.prompt("ai> ")
        assert replies(service, 1)[0]["error"]["code"] == "denied"


class SlowGemini(FakeGemini):
    """Answers when it is told to."""

    def next_answer(self):
        self.released.wait(SECONDS)
        return super().next_answer()


def test_what_was_typed_before_the_question_was_shown_is_no_answer_to_it(program):
    service = SlowGemini(calls(OPEN), text("Then not."))
    service.released = threading.Event()
    with service:
        screen = ask_at_terminal(program, service)
        assert service.wait_for_requests(1)
        screen.send("yes\r")
        screen.expect_text("yes")  # the terminal's echo: it is in the queue
        service.released.set()
        screen.prompt(QUESTION)
        assert "Then not." in screen.enter("no", then="ai> ")
        assert replies(service, 1)[0]["ok"] is False


def test_waiting_for_a_person_does_not_spend_the_time_of_the_run(program):
    with FakeGemini(calls(OPEN), text("It is open.")) as service:
        screen = ask_at_terminal(program, service, "--timeout", "2")
        screen.prompt(QUESTION)
        assert screen.expect_exact(["ai> ", pexpect.TIMEOUT], timeout=2.5) == 1
        assert "It is open." in screen.enter("yes", then="ai> ")


def test_a_hook_that_asks_is_asked_about_even_for_python(program):
    (program.work / "careful.lua").write_text(ASKS_ABOUT_CODE)
    batch = program.run("--plugin", "careful.lua", "--ask", "compute 6 * 7")
    assert "--allow eval_expr" in batch.stdout and "42" not in batch.stdout
    assert "`6 * 7` is 42" in program.run("--plugin", "careful.lua", "--allow", "eval_expr", "--ask", "compute 6 * 7").stdout
    screen = program.start("--plugin", "careful.lua")
    screen.prompt()
    screen.send("\t")
    screen.prompt("ai> ")
    screen.send("compute 6 * 7\r")
    shown = screen.expect_text(QUESTION)
    assert "it runs" in shown and "code" in shown and "\x1b[31m" not in shown
    assert "`6 * 7` is 42" in screen.enter("y", then="ai> ")


def test_a_dumb_terminal_asks_too(program):
    with FakeGemini(calls(OPEN), text("It is open.")) as service:
        screen = program.start("--plugin", DOORS, TERM="dumb", **service.environment())
        screen.prompt()
        screen.enter("/mode", then="ai> ")
        screen.send("open the attic\r")
        screen.prompt(QUESTION)
        assert "It is open." in screen.enter("yes", then="ai> ")
    assert "\x1b" not in screen.seen
