"""`pyaichat emulate SERVICE`: the emulators as a program, for tests in any language."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import urllib.error
import urllib.request

import pytest

from conftest import PROGRAM, SECONDS

GUIDE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide" / "testing.md").read_text(encoding="utf-8")
MODEL = "/v1beta/models/gemini-3.8-flash"
QUESTION = {"contents": [{"role": "user", "parts": [{"text": "Hello?"}]}]}


class Emulator:
    """The program, running; `url` is what it has printed first."""

    def __init__(self, folder, script, *arguments, stdin=subprocess.DEVNULL, service="gemini"):
        self.script = folder / "script.json"
        self.script.write_text(script if isinstance(script, str) else json.dumps(script))
        self.process = subprocess.Popen([PROGRAM, "emulate", service, "--script", str(self.script), *arguments], stdin=stdin,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def ask(self, target=MODEL + ":generateContent", body=QUESTION, key="test-key"):
        """The status and the text of an answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + target, data, {"x-goog-api-key": key, "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:
                return response.status, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def end(self, how=signal.SIGTERM):
        """The exit status, and what was said about the requests."""
        if how:
            self.process.send_signal(how)
        rest, said = self.process.communicate(timeout=SECONDS)
        assert rest == ""
        return self.process.returncode, said


@pytest.fixture
def emulate(tmp_path):
    running = []

    def start(script, *arguments, **more):
        running.append(Emulator(tmp_path, script, *arguments, **more))
        return running[-1]

    yield start
    for one in running:
        if one.process.poll() is None:
            one.process.kill()
            one.process.communicate()


def refused(tmp_path, *arguments):
    """The status and the complaint of a program that does not start to serve."""
    done = subprocess.run([PROGRAM, "emulate", *arguments], capture_output=True, text=True, timeout=SECONDS, cwd=tmp_path)
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_the_script_until_a_signal_and_reports_what_it_saw(emulate, how):
    one = emulate({"replies": [{"overloaded": True}, {"text": "Hello."}, {"text": "Nobody asks."}]})
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", one.url)
    assert one.ask()[0] == 503
    status, body = one.ask()
    assert status == 200 and "Hello." in body
    assert one.end(how) == (0, "pyaichat emulate: 2 requests, 1 reply unused\n")


def test_refused_and_surplus_requests_are_told_and_give_status_3(emulate):
    one = emulate({"replies": []})
    assert one.ask(body={"contents": []})[0] == 400
    assert one.ask()[0] == 500
    assert one.ask(key="other")[0] == 400
    status, said = one.end()
    assert status == 3
    assert said == ("pyaichat emulate: request 1 was refused: * GenerateContentRequest.contents: contents is not specified\n"
                    "pyaichat emulate: request 3 was refused: API key not valid. Please pass a valid API key.\n"
                    "pyaichat emulate: 3 requests, 2 refused, 1 after the last reply\n")


def test_streams_counts_and_lists_are_served_too(emulate):
    one = emulate({"replies": [{"deltas": ["Hel", "lo."]}], "models": ["gemini-3.8-flash", "gemini-4-argon"]})
    status, body = one.ask(MODEL + ":streamGenerateContent?alt=sse")
    assert status == 200
    chunks = [json.loads(event.removeprefix("data: ")) for event in body.split("\r\n\r\n") if event]
    assert [chunk["candidates"][0]["content"]["parts"] for chunk in chunks] == [[{"text": "Hel"}], [{"text": "lo."}]]
    assert json.loads(one.ask(MODEL + ":countTokens")[1])["totalTokens"] == 3
    assert [model["name"] for model in json.loads(one.ask("/v1beta/models", None)[1])["models"]] == [
        "models/gemini-3.8-flash", "models/gemini-4-argon"]
    assert one.end()[0] == 0


def test_the_profile_comes_from_the_command_line_then_from_the_script_then_from_the_name(emulate):
    penalty = {**QUESTION, "generationConfig": {"presencePenalty": 0.5}}
    assert emulate({"replies": [{"text": "x"}]}, ).ask(body=penalty)[0] == 400
    assert emulate({"replies": [{"text": "x"}], "profile": "3.5"}).ask(body=penalty)[0] == 200
    assert emulate({"replies": [{"text": "x"}], "profile": "3.5"}, "--profile", "3.6").ask(body=penalty)[0] == 400
    assert emulate({"replies": [{"text": "x"}]}, "--lenient").ask(body=penalty)[0] == 200


def test_requests_are_recorded_as_they_arrive_without_the_key(emulate, tmp_path):
    record = tmp_path / "seen.jsonl"
    one = emulate({"replies": [{"text": "x"}], "api_key": "a-key-of-worth"}, "--record", str(record))
    one.ask(key="a-key-of-worth")
    one.ask(body={"foo": "a-key-of-worth"}, key="a-key-of-worth")
    one.ask(MODEL + ":generateContent?alt=json&key=another-key", key="a-key-of-worth")
    text = record.read_text()
    assert "a-key-of-worth" not in text and "another-key" not in text
    first, second, third = [json.loads(line) for line in text.splitlines()]
    assert first["number"] == 1 and first["path"] == MODEL + ":generateContent" and first["query"] == ""
    assert first["headers"]["x-goog-api-key"] == "***"
    assert first["body"] == QUESTION and json.loads(first["text"]) == QUESTION
    assert "refusal" not in first and second["refusal"]["status"] == 400
    assert second["body"] == {"foo": "***"} and third["query"] == "alt=json&key=***"
    assert one.end()[0] == 3


def test_anthropic_is_emulated_too(emulate, tmp_path):
    record = tmp_path / "seen.jsonl"
    one = emulate({"replies": [{"text": "Hello."}], "api_key": "a-key-of-worth"}, "--record", str(record), service="anthropic")
    question = {"model": "claude-haiku-5-5", "max_tokens": 100, "messages": [{"role": "user", "content": "Hello?"}]}

    def ask(body):
        headers = {"x-api-key": "a-key-of-worth", "anthropic-version": "2023-06-01", "Content-Type": "application/json"}
        request = urllib.request.Request(one.url + "/v1/messages", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    status, refusal = ask({**question, "max_tokens": "many"})
    assert status == 400 and refusal["error"]["message"] == "max_tokens: Input should be a valid integer"
    status, message = ask(question)
    assert status == 200 and message["content"] == [{"type": "text", "text": "Hello."}]
    assert one.end() == (3, "pyaichat emulate: request 1 was refused: max_tokens: Input should be a valid integer\n"
                            "pyaichat emulate: 2 requests, 1 refused\n")
    assert "a-key-of-worth" not in record.read_text()
    assert json.loads(record.read_text().splitlines()[1])["body"] == question


def test_the_program_asks_anthropic(emulate, program):
    one = emulate({"replies": [{"calls": [{"id": "toolu_1", "name": "get_type", "input": {"expr": "x"}}],
                                "thinking": {"signature": "c2lnbmF0dXJl"}},
                               {"overloaded": True}, {"text": "x is a list."}]}, service="anthropic")
    reports, done = program.ask_json("--provider", "anthropic", "--exec", "x = [1]", "--ask", "what is x?",
                                     ANTHROPIC_API_KEY="test-key", ANTHROPIC_BASE_URL=one.url)
    assert done.returncode == 0
    assert reports[0]["answer"] == "x is a list."
    assert [call["name"] for call in reports[0]["calls"]] == ["get_type"]
    assert one.end() == (0, "pyaichat emulate: 3 requests\n")


def test_openai_is_emulated_too(emulate, tmp_path):
    record = tmp_path / "seen.jsonl"
    one = emulate({"replies": [{"deltas": ["Hel", "lo."]}], "api_key": "a-key-of-worth"}, "--record", str(record), service="openai")
    question = {"model": "gpt-5.4-mini", "messages": [{"role": "user", "content": "Is a-key-of-worth safe?"}]}

    def ask(body):
        headers = {"Authorization": "Bearer a-key-of-worth", "Content-Type": "application/json"}
        request = urllib.request.Request(one.url + "/chat/completions", json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as response:
                return response.status, json.loads(response.read())
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    assert one.url.endswith("/v1")
    status, refusal = ask({**question, "tools": []})
    assert status == 400 and refusal["error"]["param"] == "tools"
    status, completion = ask(question)
    assert status == 200 and completion["choices"][0]["message"]["content"] == "Hello."
    code, said = one.end()
    assert code == 3 and said.endswith("pyaichat emulate: 2 requests, 1 refused\n")
    assert "a-key-of-worth" not in record.read_text()
    seen = json.loads(record.read_text().splitlines()[1])
    assert seen["path"] == "/v1/chat/completions" and seen["headers"]["authorization"] == "***"


def test_the_program_asks_openai(emulate, program):
    one = emulate({"replies": [{"calls": [{"id": "call_1", "name": "get_type", "arguments": '{"expr": "x"}'}]},
                               {"error": {"status": 503, "message": "busy"}}, {"text": "x is a list."}]}, service="openai")
    reports, done = program.ask_json("--provider", "openai", "--exec", "x = [1]", "--ask", "what is x?",
                                     OPENAI_API_KEY="test-key", OPENAI_BASE_URL=one.url)
    assert done.returncode == 0
    assert reports[0]["answer"] == "x is a list."
    assert [call["name"] for call in reports[0]["calls"]] == ["get_type"]
    assert one.end() == (0, "pyaichat emulate: 3 requests\n")


@pytest.mark.parametrize("changed, said", [
    ({}, None),
    ({"OPENAI_API_KEY": "another-key"}, "OPENAI_API_KEY"),
    ({"OPENAI_MODEL": "gpt-0"}, "OPENAI_MODEL"),
    ({"OPENAI_BASE_URL": ""}, "OPENAI_BASE_URL"),
])
def test_the_check_at_the_start_asks_openai(emulate, program, changed, said):
    one = emulate({"replies": []}, service="openai")
    settings = {"OPENAI_API_KEY": "test-key", "OPENAI_BASE_URL": one.url, **changed}
    if not settings["OPENAI_BASE_URL"]:
        settings["OPENAI_BASE_URL"] = one.url.removesuffix("/v1")
    screen = program.start("--provider", "openai", **settings)
    shown = screen.prompt("py> ")
    if said is None:
        assert "could not be checked" not in shown
    else:
        assert "could not be checked" in shown and said in shown and "another-key" not in shown
    assert "2" in screen.enter("1 + 1")


def test_it_ends_with_standard_input_when_it_is_told_to(emulate):
    one = emulate({"replies": [{"hang": True}]}, "--until-eof", stdin=subprocess.PIPE)
    one.process.stdin.write("anything\n")
    one.process.stdin.flush()
    with socket.create_connection(("127.0.0.1", int(one.url.rsplit(":", 1)[1])), timeout=SECONDS):
        assert one.end(how=None) == (0, "pyaichat emulate: 0 requests, 1 reply unused\n")
    one = emulate({"replies": [{"text": "x"}]})  # standard input is empty from the start, as in the background of a shell
    assert one.ask()[0] == 200
    assert one.end()[0] == 0


def test_a_port_is_taken_when_it_can_be_had(emulate, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        (tmp_path / "script.json").write_text('{"replies": []}')
        status, said = refused(tmp_path, "gemini", "--script", "script.json", "--port", port)
        assert status == 1
        assert said == f"pyaichat emulate: port {port} is not available. Choose another port, or omit --port.\n"
    assert emulate({"replies": []}, "--port", port).url == "http://127.0.0.1:" + port


@pytest.mark.parametrize("script, complaint", [
    ('{"replies": [{"text": "x"},]}', "script.json: line 1, column 28: invalid JSON. Write one JSON document"),
    ('{"replies": [{"text": "x"}, {"txt": "y"}]}', 'script.json: replies[1]: unknown member "txt". Did you mean "text"?'),
    ('{"replies": [{"text": "x", "after": 20}]}', "script.json: replies[0].after: invalid value: 20. Write a duration with its unit"),
])
def test_a_bad_script_is_told_with_its_place(tmp_path, script, complaint):
    (tmp_path / "script.json").write_text(script)
    status, said = refused(tmp_path, "gemini", "--script", "script.json")
    assert status == 2
    assert said.startswith("pyaichat emulate: " + complaint)


@pytest.mark.parametrize("arguments, complaint", [
    ([], "name the service to emulate: gemini"),
    (["bard"], "name the service to emulate: gemini, anthropic or openai"),
    (["gemini"], "--script FILE is missing"),
    (["anthropic", "--script", "x.json", "--profile", "3.8"], "--profile is for gemini only"),
    (["openai"], "--script FILE is missing"),
    (["gemini", "--script"], "--script needs a value"),
    (["gemini", "--script", "x.json", "--port", "0"], "--port takes a number from 1 to 65535, not '0'"),
    (["gemini", "--script", "x.json", "--profile", "9"], "--profile: '9' is not a version of the emulated models"),
    (["gemini", "--script", "x.json", "--verbose"], "unknown argument '--verbose'"),
    (["gemini", "--script", "none.json"], "none.json: cannot be read. Check the path and the permissions."),
])
def test_wrong_usage_is_told_in_a_sentence(tmp_path, arguments, complaint):
    status, said = refused(tmp_path, *arguments)
    assert status == 2
    assert complaint in said


def test_a_record_that_cannot_be_written_is_an_error(tmp_path):
    (tmp_path / "script.json").write_text('{"replies": []}')
    status, said = refused(tmp_path, "gemini", "--script", "script.json", "--record", "no/folder/seen.jsonl")
    assert status == 1
    assert said == "pyaichat emulate: no/folder/seen.jsonl cannot be written: No such file or directory\n"


def test_help_names_every_option(tmp_path):
    for arguments in (["--help"], ["gemini", "--help"]):
        done = subprocess.run([PROGRAM, "emulate", *arguments], capture_output=True, text=True, timeout=SECONDS)
        assert done.returncode == 0
        for name in ("--script", "--port", "--profile", "--record", "--lenient", "--until-eof", "Exit status"):
            assert name in done.stdout


def without_times(text):
    return re.sub(r"\d+(\.\d+)? (us|ms|s)\b", "TIME", text)


def block_after(marker, language):
    found = re.search(rf"<!-- {re.escape(marker)} -->\n```{language}\n(.*?)```", GUIDE, re.DOTALL)
    assert found, f"the guide has no block after <!-- {marker} -->"
    return found.group(1)


def test_the_shell_test_of_the_guide_does_what_the_guide_shows(tmp_path):
    (tmp_path / "door.json").write_text(block_after("emulate: door.json", "json"))
    (tmp_path / "test.sh").write_text(block_after("emulate: test.sh", "sh"))
    path = os.path.dirname(PROGRAM) + os.pathsep + os.environ["PATH"]
    kept = {name: value for name, value in os.environ.items() if name in ("ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS")}
    done = subprocess.run(["sh", "test.sh"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60, cwd=tmp_path,
                          env={**kept, "PATH": path, "HOME": str(tmp_path), "LANG": "C.UTF-8"})
    assert without_times(done.stdout) == without_times(block_after("emulate: output", "text"))
