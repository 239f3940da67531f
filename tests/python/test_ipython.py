"""The extension for IPython, in a shell of its own."""

import pathlib
import subprocess
import sys
import warnings

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    pytest.importorskip("IPython")

import pyaichat as ai  # noqa: E402
import pyaichat._display as display  # noqa: E402
import pyaichat._ipython as extension  # noqa: E402
import pyaichat._looks as looks  # noqa: E402
from pyaichat._pictures import picture_of  # noqa: E402

WIRE = """
class Wire:
    ran = 0
    def __getattribute__(self, name):
        Wire.ran += 1
        return object.__getattribute__(self, name)
    def __repr__(self):
        Wire.ran += 1
        return "ran"
"""


SHELL = """
import sys
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

config = Config()
config.HistoryManager.enabled = False
config.InteractiveShell.colors = "NoColor"
shell = InteractiveShell.instance(config=config)
for cell in sys.argv[1:]:
    shell.run_cell(cell, store_history=True)
"""


def ipython(tmp_path, *cells):
    """What a session of these cells prints."""
    environment = {"IPYTHONDIR": str(tmp_path), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-c", SHELL, "%load_ext pyaichat", *cells]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, cwd=tmp_path)
    return done.stdout + done.stderr


def test_a_question_with_a_mark_reaches_the_assistant(tmp_path):
    out = ipython(tmp_path, "doors = [1, 2, 3]", "%ai what is doors?")
    assert "`doors` is a list of 3 items: [1, 2, 3]" in out and "Object" not in out
    assert "(2 calls, looked at doors, no code of the objects ran: see %ai_trace)" in out


def test_a_question_runs_no_code_of_an_object(tmp_path):
    questions = ["%ai what is wire?", "%ai which variables are there?", "%ai what can wire do?", "%ai wire?", "%ai {wire} $wire ?"]
    out = ipython(tmp_path, WIRE, "wire = Wire()", *questions, "print('ran', Wire.ran)")
    assert "ran 0" in out and "wire" in out


def test_the_names_of_ipython_are_not_listed(tmp_path):
    out = ipython(tmp_path, "doors = [1]", "%ai which variables are there?")
    assert "There is 1 variable" in out and "get_ipython" not in out and " Out" not in out


def test_a_question_after_a_traceback_is_about_it(tmp_path):
    out = ipython(tmp_path, "def halve(x):\n    return x / 0", "halve(3)", "%ai what failed?")
    assert "ZeroDivisionError" in out.split("Traceback")[-1].split("division by zero", 1)[1] and "halve" in out


def test_the_trace_shows_tiers(tmp_path):
    out = ipython(tmp_path, "doors = [1]", "%ai what is doors?", "%ai_trace")
    assert "inspect(doors)" in out and "tier 0, no code ran" in out


def test_the_trace_says_when_code_of_an_object_has_run(tmp_path):
    gate = "class Gate:\n    @property\n    def width(self):\n        return 3\ngate = Gate()"
    out = ipython(tmp_path, gate, "%ai gate.width + 1", "%ai_trace")
    assert "code of the objects ran in 1 of them" in out and "tier 2, ran code of the object in a copy of the process" in out


def test_the_trace_of_no_question(tmp_path):
    assert "has called nothing" in ipython(tmp_path, "%ai_trace")


def test_a_cell_asks_and_may_withhold_values(tmp_path):
    cell = 'get_ipython().run_cell_magic("ai", "{}", "what is text?")'
    out = ipython(tmp_path, "text = 'abcdef'", cell.format("--no-values"))
    assert "abcdef" not in out and "text" in out
    out = ipython(tmp_path, "text = 'abcdef'", cell.format(""))
    assert "abcdef" in out
    assert "does not know the option '--loud'" in ipython(tmp_path, cell.format("--loud"))


PARROT = """
import pyaichat as ai, pyaichat._ipython as extension
def parrot(request):
    message = request.messages[-1]
    return f"{message.text} {[image.mime_type for image in message.images]}"
extension.service_by_key = lambda: parrot
"""


def test_a_cell_may_have_a_variable_with_it(tmp_path):
    cell = 'get_ipython().run_cell_magic("ai", "{}", "what is this?")'
    variables = "door = [1, 2, 3]; key = 'sk-' + 'a1B2' * 12; plot = b'GIF89a' + bytes(9)\n"
    out = ipython(tmp_path, PARROT + variables, cell.format("--with door"))
    assert "about the variable door" in out and "[1, 2, 3]" in out and "what is this? []" in out
    out = ipython(tmp_path, PARROT + variables, cell.format("--with door --no-values --with key"))
    assert "about the variable door" in out and "'1'" not in out and "[1, 2, 3]" not in out and "a1B2" not in out
    out = ipython(tmp_path, PARROT + variables, cell.format("--with plot"), cell.format("--with plot --no-values"))
    assert "what is this? ['image/gif']" in out and "would show values" in out
    assert "no variable 'gate'" in ipython(tmp_path, PARROT, cell.format("--with gate"))
    assert "Ask something" in ipython(tmp_path, 'get_ipython().run_cell_magic("ai", "", " ")')


SLOW = """
import os, signal, threading, time, pyaichat as ai, pyaichat._ipython as extension
def slow(request):
    began.set()
    time.sleep(30)
    return "late"
extension.service_by_key = lambda: slow
def stop():
    began.wait(20)
    os.kill(os.getpid(), signal.SIGINT)
def arm():
    global began
    began = threading.Event()
    threading.Thread(target=stop).start()
"""


def test_the_stop_button_cancels_a_question_and_a_watch(tmp_path):
    out = ipython(
        tmp_path,
        SLOW,
        "arm(); before = time.monotonic()",
        "%ai what is doors?",
        "print('stopped', time.monotonic() - before < 15, os.getpid() > 0)",
        "doors = 3; arm(); w = ai.watch('what is doors?', every='cell')",
        "print('active', w.active)",
    )
    assert "KeyboardInterrupt" in out and "stopped True" in out and "late" not in out
    assert "The watch 'what is doors?' was cancelled." in out and "active False" in out


def test_pictures_of_libraries_are_drawn(monkeypatch):
    import types

    png = b"\x89PNG\r\n\x1a\n" + bytes(9)

    class Figure:
        def savefig(self, file, format):
            file.write(png)

    class Wire:
        def __getattribute__(self, name):
            raise AssertionError("code of an object has run")

    library = types.ModuleType("matplotlib.figure")
    library.Figure = Figure
    monkeypatch.setitem(sys.modules, "matplotlib.figure", library)
    assert picture_of(Figure()) == ai.Image(png)
    assert picture_of(ai.Image(png)) == ai.Image(png) == picture_of(png)
    from IPython.display import Image

    assert picture_of(Image(png)) == ai.Image(png)
    assert [picture_of(value) for value in (Wire(), 3, b"text", Image(url="http://127.0.0.1/door.png"))] == [None] * 4


def test_the_model_can_be_chosen(tmp_path):
    out = ipython(tmp_path, "%ai_model", "%ai_model ollama:qwen3", "%ai_model gemni")
    assert "offline" in out and "ollama:qwen3" in out and "there is no provider 'gemni'" in out


def test_settings_can_be_changed(tmp_path):
    out = ipython(tmp_path, "%ai_config max_steps=3 values=schema", "%ai_config max_steps=0", "%ai_config speed=3")
    assert "max_steps=3" in out and "values=schema" in out and "there is no setting 'speed'" in out
    out = ipython(tmp_path, "%ai_config max_cost=0.05 approval_timeout=2.5", "%ai_config approval_timeout=none", "%ai_config max_steps=2.5")
    assert "max_cost=0.05" in out and "approval_timeout=2.5" in out and "approval_timeout=None" in out and "whole number" in out


def test_the_extension_can_be_unloaded(tmp_path):
    out = ipython(tmp_path, "%unload_ext pyaichat", "%ai hello")
    assert "`%ai` not found" in out


def test_an_empty_question_gets_an_example(tmp_path):
    assert "Ask something" in ipython(tmp_path, "%ai")


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["%ai what is x?\n"], ["get_ipython().run_line_magic('ai', 'what is x?')\n"]),
        (["if x:\n", "    %ai what is x?\n"], ["if x:\n", "    get_ipython().run_line_magic('ai', 'what is x?')\n"]),
        (["%ai it's \"x\"?\n"], ["get_ipython().run_line_magic('ai', 'it\\'s \"x\"?')\n"]),
        (["%aim x?\n"], ["%aim x?\n"]),
        (["x?\n"], ["x?\n"]),
        (["%%ai\n", "what?\n"], ["%%ai\n", "what?\n"]),
        (['text = """\n', "%ai what?\n", '"""\n'], ['text = """\n', "%ai what?\n", '"""\n']),
    ],
)
def test_only_questions_are_rewritten(lines, kept):
    assert extension.keep_questions(lines) == kept


def test_a_notebook_updates_one_display_and_folds_the_calls(monkeypatch):
    shown = []

    class Handle:
        def update(self, markdown):
            shown.append(markdown.data)

    monkeypatch.setattr("IPython.display.display", lambda markdown, display_id: Handle())
    view = display.Notebook()
    view.add("one ")
    view.add("two")
    view.finish("one two", [finished({"expr": "x"}, {"ok": True, "result": {"tier": 0, "ran_user_code": False}})])
    assert shown[:2] == ["one ", "one two"]
    assert shown[2] == (
        "one two\n\n<details><summary>1 call, looked at x, no code of the objects ran</summary>"
        "<ul><li><code>inspect(x), 0.5 ms, tier 0, no code ran</code></li></ul></details>"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("`x` is a <Door object>", "`x` is a &lt;Door object>"),
        ("`<b>` and ```\n<i>\n``` and <u>", "`<b>` and ```\n<i>\n``` and &lt;u>"),
        ("see ![x](http://example.com/?secret)", "see !\u2060[x](http://example.com/?secret)"),
        ("not code: \\`![x](http://example.com)\\`", "not code: \\`!\u2060[x](http://example.com)\\`"),
        ("no block ```![x](y) <IMG src=z>", "no block ```!\u2060[x](y) <\u2060IMG src=z>"),
        ("`\\` <img src=x> `a`", "`\\` &lt;\u2060img src=x> `a`"),
        ("`if a<b and x!=y`", "`if a<b and x!=y`"),
        ("```\n<b> still streams", "```\n<b> still streams"),
        ("a ` b < c", "a ` b &lt; c"),
        ("**bold** [link](https://example.com)", "**bold** [link](https://example.com)"),
    ],
)
def test_an_answer_in_a_notebook_has_no_html_and_loads_no_pictures(text, shown):
    assert display.as_markdown(text) == shown


def finished(arguments, reply):
    """The event of a call that has replied."""
    return ai.CallFinished(number=1, run_id="r", time=0.0, step=1, call=1, name="inspect", arguments=arguments, reply=reply, took=0.0005)


def test_text_of_a_call_cannot_leave_the_folded_line():
    folded = display.folded([finished({"expr": "'</code></details>\n\n# x'"}, {"ok": False, "error": {"code": "not_allowed"}})])
    assert folded.count("</details>") == 1 and "\n" not in folded.strip() and "not_allowed" in folded


def test_a_call_that_was_not_allowed_is_in_the_trace():
    denied = ai.CallDenied(
        number=1, run_id="r", time=0.0, step=1, call=1, name="order", arguments={}, reply={"ok": False, "error": {"code": "denied"}}
    )
    assert looks.describe_call(denied) == "order(), did not run: denied"
    assert looks.summarize([denied]) == "1 call, 1 not allowed"


def test_the_extension_is_not_imported_without_ipython():
    code = "import sys, pyaichat; print('IPython' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60).stdout == "False\n"
    assert pathlib.Path(extension.__file__).name == "_ipython.py"
