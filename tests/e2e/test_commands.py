"""The commands that show what happened and what would be sent; scripts with a byte order mark; retries in words."""

import re

import fake_gemini
from fake_gemini import KEY, FakeGemini, calls, text


def test_trace_shows_the_events_of_the_last_question_with_their_times(program):
    done = program.run(stdin="/trace\nx = [1, 2]\n/mode\nwhat is x?\n/trace\ncompute 1 + 1\n/trace\n")
    assert done.returncode == 0
    assert done.stdout.startswith("nothing was asked yet\n")
    traced = re.findall(r"^ *(\d+\.\d) ms  (\w+) +(.*)$", done.stdout, re.MULTILINE)
    names = [name for _, name, _ in traced]
    assert names.count("run_started") == 2 and names.count("run_finished") == 2
    first = traced[:names.index("run_finished") + 1]
    assert first[0] == ("0.0", "run_started", "what is x?") and first[-1][2] == "complete"
    assert [float(time) for time, _, _ in first] == sorted(float(time) for time, _, _ in first)
    assert any(name == "call_finished" and re.fullmatch(r'#\d+ get_repr\(x\) \d+\.\d ms -> \{.*', what) for _, name, what in first)


def test_context_shows_instructions_functions_and_what_is_remembered(program):
    done = program.run(stdin="x = 5\n/context\n/memory on\n/mode\nwhat is x?\n/context\n")
    assert done.returncode == 0
    before, after = (part for part in done.stdout.split("to the offline provider")[1:])
    assert "instructions\n  You are the assistant" in before
    assert re.search(r"^  get_repr\(.*expr.*\) \[host Python, read\] \w+", before, re.MULTILINE)
    assert "messages\n  only the question" in before
    assert "  user: what is x?" in after and "  model: call get_repr(x)" in after and "  user: reply to get_repr: " in after


def test_neither_context_nor_trace_nor_model_shows_the_key(program):
    script = (calls(("eval_expr", {"expr": "key"})), text("It is " + KEY + "."))
    with FakeGemini(*script) as service:
        done = program.run(stdin=f"key = '{KEY}'\n/memory on\n/mode\nwhat is the key?\n/context\n/trace\n/model\n", **service.environment())
    shown = done.stdout.split("to Gemini, ")[1]
    assert "reply to eval_expr" in shown and "call_finished" in shown and "Gemini, gemini-3.8-flash" in shown
    assert KEY not in shown and KEY not in done.stderr


def test_model_says_the_provider_and_the_model(program):
    with FakeGemini(text("Hello."), models=("gemini-3.8-flash", "gemini-3.9")) as service:
        done = program.run(stdin="/model\n/model gemini-3.9\n/model\n", **service.environment())
    assert done.stdout.splitlines() == ["Gemini, gemini-3.8-flash", "Gemini, gemini-3.9", "Gemini, gemini-3.9"]
    assert program.run(stdin="/model\n").stdout == "the offline provider (not a language model)\n"


def test_help_lists_every_command(program):
    shown = program.run(stdin="/help\n").stdout
    for name in ("help", "mode", "vars", "plugins", "reload", "model", "memory", "trace", "context", "quit"):
        assert f"/{name}" in shown, name


def test_help_on_the_command_line_names_what_this_build_has(program):
    shown = program.run("--help").stdout
    for command in ("emulate", "plugin"):
        named = f"pyaichat {command}" in shown
        assert named == (program.run(command, "--help").returncode == 0), command
    assert "--plugin FILE|DIR" in shown and "--allow NAME,...|all" in shown


def test_a_retry_says_in_words_why(program):
    overloaded = fake_gemini.error(503, "UNAVAILABLE", "The model is overloaded.")
    with FakeGemini(overloaded, fake_gemini.HalfReply, text("Hello.")) as service:
        done = program.run("--timeout", "20", "--ask", "hello?", **service.environment())
    assert done.returncode == 0, done.stdout
    assert re.search(r"^· retry in .*: the service is unavailable$", done.stdout, re.MULTILINE)
    assert re.search(r"^· retry in .*: the connection failed$", done.stdout, re.MULTILINE)
    assert "connection_failed" not in done.stdout + done.stderr


def test_a_script_that_begins_with_a_byte_order_mark_runs(program):
    (program.work / "script.py").write_bytes(b"\xef\xbb\xbftotal = 42\nprint('ran', total)\n")
    done = program.run("script.py")
    assert done.returncode == 0 and done.stdout == "ran 42\n", done.stderr
