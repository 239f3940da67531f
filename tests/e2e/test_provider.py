"""With a model service: a stand-in on 127.0.0.1 that is strict about history, keys and models."""

import json
import socket
import time

import pytest

import fake_gemini
from fake_gemini import KEY, FakeGemini, HalfReply, Hang, calls, text


def test_parallel_calls_a_third_call_and_the_answer_take_three_requests_on_one_connection(program):
    script = (calls(("get_type", {"expr": "x"}, "a1"), ("get_repr", {"expr": "x"}, "b2")), calls(("get_doc", {"expr": "x"}, "c3")),
              text("x is a list that ends with 41."))
    with FakeGemini(*script) as service:
        reports, done = program.ask_json("--exec", "x = [1, 2, 41]", "--ask", "what is x?", **service.environment())
    assert done.returncode == 0
    assert reports[0]["answer"] == "x is a list that ends with 41."
    assert [call["name"] for call in reports[0]["calls"]] == ["get_type", "get_repr", "get_doc"]
    assert reports[0]["usage"]["input_tokens"] == 30
    assert len(service.requests) == 3 and service.connections == 1
    replies = service.requests[1]["contents"][-1]["parts"]
    assert [part["functionResponse"]["id"] for part in replies] == ["a1", "b2"]
    assert replies[1]["functionResponse"]["response"]["result"]["repr"] == "[1, 2, 41]"
    assert service.requests[2]["contents"][1]["parts"][0]["thoughtSignature"] == "c2lnbmF0dXJl"
    assert KEY not in done.stdout + done.stderr + "".join(service.paths)


def test_the_text_is_shown_once_and_commentary_comes_before_its_calls(program):
    with_commentary = calls(("get_repr", {"expr": "x"}))
    with_commentary["candidates"][0]["content"]["parts"].insert(1, {"text": "Let me look."})
    with FakeGemini(with_commentary, text("It is five.")) as service:
        done = program.run("--exec", "x = 5", "--ask", "what is x?", **service.environment())
    assert done.returncode == 0
    assert done.stdout.count("It is five.") == 1 and done.stdout.count("Let me look.") == 1
    assert done.stdout.index("Let me look.") < done.stdout.index("· get_repr(x)") < done.stdout.index("It is five.")


def test_commentary_that_was_shown_is_not_repeated_when_the_run_is_stopped(program):
    with_commentary = calls(("get_repr", {"expr": "x"}))
    with_commentary["candidates"][0]["content"]["parts"].insert(1, {"text": "Let me look."})
    with FakeGemini(with_commentary, Hang) as service:
        done = program.run("--timeout", "2", "--exec", "x = 5", "--ask", "what is x?", **service.environment())
    assert done.returncode == 3
    assert done.stdout.count("Let me look.") == 1 and "Confirmed so far:" in done.stdout


def test_a_model_that_calls_no_functions_cannot_be_chosen_at_the_prompt(program):
    with FakeGemini(text("Still here.")) as service:
        done = program.run(stdin="/model gemini-embedding-001\n/mode ai\nhello\n", **service.environment())
    assert "does not call functions" in done.stderr
    assert "Still here." in done.stdout and "gemini-3.8-flash:streamGenerateContent" in service.paths[-1]


@pytest.mark.parametrize("script, options, words, seconds", [
    ((fake_gemini.BAD_KEY,), (), ("key", "GEMINI_API_KEY"), 5),
    ((fake_gemini.unknown_model("gemini-3.8-flash"),), (), ("model", "GEMINI_MODEL"), 5),
    ((Hang,), ("--timeout", "2"), ("time",), 3.5),
    ((HalfReply,), (), (), 12),
    ((fake_gemini.error(503, "UNAVAILABLE", "The model is overloaded. Please try again later."),), (), (), 12),
    (((200, ["no", "response"]),), (), (), 12),
])
def test_a_service_that_fails_gives_a_plain_sentence_and_status_3_in_time(program, script, options, words, seconds):
    with FakeGemini(*script) as service:
        reports, done = program.ask_json(*options, "--exec", "x = 1", "--ask", "what is x?", **service.environment())
    assert done.returncode == 3
    assert done.seconds < seconds
    answer = reports[0]["answer"]
    assert reports[0]["degraded"] and (reports[0]["error"] or reports[0]["reason"].endswith("timeout"))
    assert answer and "{" not in answer and "}" not in answer
    assert all(word in answer for word in words), answer
    assert KEY not in done.stdout + done.stderr


def test_a_dead_service_gives_a_plain_sentence_and_status_3_in_time(program):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        done = program.run("--ask", "what is x?", GEMINI_API_KEY=KEY, GEMINI_BASE_URL=f"http://127.0.0.1:{unused.getsockname()[1]}")
    assert done.returncode == 3
    assert done.seconds < 12
    assert done.stdout.strip() and "{" not in done.stdout


def test_a_wrong_key_is_never_shown(program):
    wrong = "wrong-key-abcdef"
    with FakeGemini(text("never")) as service:
        done = program.run("--log", "log.jsonl", "--ask", f"is {wrong} my key?", **service.environment(key=wrong))
    assert done.returncode == 3
    assert wrong not in done.stdout + done.stderr
    log = (program.work / "log.jsonl").read_text()
    assert wrong not in log and "is *** my key?" in log


@pytest.mark.parametrize("policy", ["snapshot", "unrestricted"])
def test_what_the_model_leaves_running_is_a_timeout_and_later_calls_are_answered(program, policy):
    script = (calls(("eval_expr", {"expr": "sum(range(10**12))"})), calls(("get_repr", {"expr": "x"})), text("It did not end."))
    with FakeGemini(*script) as service:
        reports, done = program.ask_json("--eval-policy", policy, "--exec", "x = 1", "--ask", "how much is it?", **service.environment())
    codes = [call["code"] for call in reports[0]["calls"]]
    assert codes in (["timeout", "ok"], ["in_doubt", "ok"]) if policy == "unrestricted" else codes == ["timeout", "ok"]
    assert reports[0]["ms"] < 20500
    answered = service.requests[2]["contents"][-1]["parts"][0]["functionResponse"]["response"]["result"]
    assert answered["repr"] == "1"
    # A live expression still runs, so the value was read from memory.
    assert answered.get("best_effort", False) == (policy == "unrestricted")
    assert ("sum(range(10**12))" in answered.get("note", "")) == (policy == "unrestricted")
    assert done.returncode == 0


def test_ctrl_c_while_the_model_is_asked_cancels_the_run_and_keeps_the_session(program):
    with FakeGemini(Hang) as service:
        screen = program.start(**service.environment())
        screen.prompt("py> ")
        screen.enter("x = 1")
        screen.send("\t")
        screen.prompt("ai> ")
        screen.send("what is x?\r")
        assert service.wait_for_requests(1)
        begun = time.monotonic()
        screen.send("\x03")
        assert "cancelled" in screen.prompt("ai> ")
        assert time.monotonic() - begun < 1
        screen.send("\t")
        screen.prompt("py> ")
        assert "1" in screen.enter("x")
        assert screen.leave()[0] < 1


def test_questions_stand_alone_unless_memory_is_on(program):
    with FakeGemini(text("First."), text("Second."), text("Third.")) as service:
        done = program.run(stdin="/mode ai\none?\n/memory on\ntwo?\nthree?\n", **service.environment())
    assert done.returncode == 0
    texts = [[part["text"] for content in request["contents"] for part in content["parts"]] for request in service.requests]
    assert texts == [["one?"], ["two?"], ["two?", "Second.", "three?"]]


def test_a_dotenv_file_sets_the_key_and_never_overrides_the_environment(program):
    with FakeGemini(text("From the file.")) as service, FakeGemini(text("From the environment."), models=("other",)) as other:
        (program.work / ".env").write_text(f'# comment\nexport GEMINI_API_KEY="{KEY}"  # mine\nGEMINI_BASE_URL={service.url}\r\nGEMINI_MODEL=gemini-3.8-flash\n')
        assert program.run("--ask", "hello").stdout == "From the file.\n"
        done = program.run("--ask", "hello", **other.environment(GEMINI_MODEL="other"))
        assert done.stdout == "From the environment.\n"
        assert program.run("--ask", "compute 1 + 1", GEMINI_API_KEY="").stdout.endswith("`1 + 1` is 2\n")


@pytest.mark.parametrize("environment, word", [
    ({"GEMINI_API_KEY": "one\ntwo"}, "control characters"),
    ({"GEMINI_API_KEY": KEY, "GEMINI_BASE_URL": "http://example.com"}, "https"),
    ({"GEMINI_API_KEY": KEY, "GEMINI_BASE_URL": "ftp://127.0.0.1"}, "GEMINI_BASE_URL"),
    ({"GEMINI_API_KEY": KEY, "GEMINI_BASE_URL": "https://example.com/v1beta"}, "remove"),
])
def test_unsafe_settings_are_refused(program, environment, word):
    done = program.run("--ask", "what is x?", **environment)
    assert done.returncode == 2
    assert word in done.stderr and KEY not in done.stderr


def test_the_option_chooses_the_model(program):
    with FakeGemini(text("Here."), models=("other-model",)) as service:
        assert program.run("--model", "other-model", "--ask", "hello", **service.environment()).stdout == "Here.\n"
        assert "other-model:streamGenerateContent" in service.paths[-1]


def test_questions_on_the_command_line_send_no_check(program):
    with FakeGemini(text("Here.")) as service:
        program.run("--ask", "hello", **service.environment())
        assert all(":streamGenerateContent" in path for path in service.paths)


def test_the_check_at_the_start_asks_for_the_model_once(program):
    with FakeGemini(text("Here.")) as service:
        screen = program.start(**service.environment())
        shown = screen.prompt("py> ")
        assert [path.rsplit("/", 1)[-1] for path in service.paths] == ["gemini-3.8-flash"]
        assert "gemini-3.8-flash" in shown and "could not be checked" not in shown


@pytest.mark.parametrize("answer", [fake_gemini.BAD_KEY, fake_gemini.unknown_model("gemini-3.8-flash"), fake_gemini.error(403, "PERMISSION_DENIED", "No."),
                                    fake_gemini.error(401, "UNAUTHENTICATED", "No.")])
def test_a_check_that_fails_warns_and_starts_all_the_same(program, answer):
    with FakeGemini(text("never"), model_answer=answer) as service:
        screen = program.start(**service.environment())
        assert "could not be checked" in screen.prompt("py> ")
        assert "2" in screen.enter("1 + 1")


def test_a_check_that_hangs_takes_three_seconds_at_most(program):
    with FakeGemini(text("never"), model_answer=Hang) as service:
        begun = time.monotonic()
        screen = program.start(**service.environment())
        screen.prompt("py> ")
        assert time.monotonic() - begun < 4.5


def test_a_model_that_calls_no_functions_stops_the_start_with_2(program):
    screen = program.start(GEMINI_API_KEY=KEY, GEMINI_BASE_URL="http://127.0.0.1:9", GEMINI_MODEL="gemini-embedding-001")
    screen.expect_text("GEMINI_MODEL")
    screen.expect(pytest.importorskip("pexpect").EOF)
    screen.wait()
    assert screen.wait() == 2 if screen.exitstatus is None else screen.exitstatus == 2


def test_without_a_terminal_and_with_a_key_nothing_is_said_but_the_answer(program):
    with FakeGemini(text("Only this.")) as service:
        done = program.run("--ask", "hello", **service.environment())
    assert (done.stdout, done.stderr, done.returncode) == ("Only this.\n", "", 0)


def test_the_request_declares_the_capabilities_and_says_what_they_are_for(program):
    with FakeGemini(text("Here.")) as service:
        program.run("--ask", "hello", **service.environment())
    request = service.requests[0]
    declared = {one["name"] for tool in request["tools"] for one in tool["functionDeclarations"]}
    assert declared == {"list_globals", "get_type", "get_repr", "get_dir", "get_doc", "get_source", "inspect", "eval_expr",
                        "get_last_exception", "get_stack", "situation", "get_last_entry"}
    assert "live Python session" in json.dumps(request["systemInstruction"])
