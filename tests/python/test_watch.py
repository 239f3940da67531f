"""Questions that are answered again after a change."""

import pickle
import subprocess
import sys
import types

import pytest

import pyaichat as ai
from pyaichat._fingerprint import fingerprint, names_in

SHELL = """
import sys
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

config = Config()
config.HistoryManager.enabled = False
config.InteractiveShell.colors = "NoColor"
shell = InteractiveShell.instance(config=config)
for cell in sys.argv[1:]:
    print("\\f", flush=True)
    shell.run_cell(cell, store_history=True)
"""


def looking(expression, text="seen"):
    """A model that looks at an expression and answers. It counts its questions."""
    requests = []

    def model(request):
        if request.messages[-1].replies:
            return text
        requests.append([message.text for message in request.messages])
        if expression is None:
            return ai.Response(calls=[ai.Call("list_globals")])
        return ai.Response(calls=[ai.Call("get_repr", {"expr": expression})])

    model.requests = requests
    return model


def test_a_question_is_answered_again_only_after_a_change_of_what_was_looked_at():
    names = {"doors": [1, 2], "gate": 1}
    model = looking("doors[0]")
    watched = ai.watch("what is doors?", agent=ai.Agent(model), namespace=names)
    assert watched.check().text == "seen" and watched.names == ["doors"]
    assert watched.check() is None
    names["gate"] = 2
    assert watched.check() is None
    names["doors"].append(3)
    assert watched.check().text == "seen" and watched.check() is None
    assert len(model.requests) == 2


@pytest.mark.parametrize(
    ("before", "change"),
    [
        (lambda: 1000.5, lambda value: 1001.5),
        (lambda: "abc", lambda value: "abd"),
        (lambda: {"a": 1}, lambda value: value.update(a=2)),
        (lambda: {1}, lambda value: value.add(2)),
        (lambda: list(range(1000)), lambda value: value.__setitem__(999, -1)),
        (lambda: types.SimpleNamespace(width=1), lambda value: setattr(value, "width", 2)),
        (lambda: bytearray(b"ab"), lambda value: value.extend(b"c")),
    ],
)
def test_changes_are_noticed(before, change):
    names = {"x": before()}
    watched = ai.watch("what is x?", agent=ai.Agent(looking("x")), namespace=names)
    assert watched.check() is not None and watched.check() is None
    new = change(names["x"])
    if new is not None:
        names["x"] = new
    assert watched.check() is not None and watched.check() is None


def test_a_nan_is_not_a_change():
    watched = ai.watch("what is x?", agent=ai.Agent(looking("x")), namespace={"x": float("nan")})
    assert watched.check() is not None and watched.check() is None


def test_missing_values_of_a_data_frame_are_noticed():
    pandas = pytest.importorskip("pandas")
    names = {"df": pandas.DataFrame({"price": [1.0, 2.0]})}
    watched = ai.watch("missing values in df", agent=ai.Agent("offline"), namespace=names)
    assert "0 missing" in watched.check().text and watched.check() is None
    names["df"].loc[1, "price"] = float("nan")
    assert "1 missing" in watched.check().text and watched.check() is None


def test_a_variable_that_comes_later_or_goes_is_a_change():
    names = {}
    watched = ai.watch("what is doors?", agent=ai.Agent(looking("doors")), namespace=names)
    assert watched.check() is not None and watched.check() is None
    names["doors"] = 1
    assert watched.check() is not None
    del names["doors"]
    assert watched.check() is not None


def test_a_look_at_all_variables_depends_on_all_of_them():
    names = {"doors": 1}
    watched = ai.watch("which variables are there?", agent=ai.Agent(looking(None)), namespace=names)
    assert watched.check() is not None and watched.names == ["*"] and watched.check() is None
    names["gate"] = 1
    assert watched.check() is not None and watched.check() is None


def test_an_answer_without_a_look_is_not_repeated():
    names = {"doors": 1}
    watched = ai.watch("hello?", agent=ai.Agent(lambda request: "hello"), namespace=names)
    assert watched.check().text == "hello"
    names["doors"] = 2
    assert watched.check() is None


def test_a_model_that_has_failed_is_asked_again_after_any_change():
    names = {"doors": 1, "gate": 1}
    works = looking("doors")
    failing = [True]

    def model(request):
        if failing[0]:
            raise ai.ProviderError("overloaded", code="request_rejected")
        return works(request)

    watched = ai.watch("what is doors?", agent=ai.Agent(model), namespace=names)
    assert watched.check().degraded and watched.check() is None
    failing[0] = False
    names["gate"] = 2
    assert watched.check().text == "seen" and watched.names == ["doors"]
    failing[0] = True
    names["doors"] = 2
    assert watched.check().degraded and watched.names == ["doors"]


def test_a_watch_ends_when_the_model_cannot_be_used():
    def model(request):
        raise ai.ProviderError("the key is not valid", code="authentication")

    names = {"doors": 1}
    watched = ai.watch("what is doors?", agent=ai.Agent(model), namespace=names)
    assert watched.check().degraded and not watched.active
    names["doors"] = 2
    assert watched.check() is None


def test_the_model_reads_its_last_answer():
    names = {"doors": 1}
    model = looking("doors", "one door")
    watched = ai.watch("how many?", agent=ai.Agent(model), namespace=names)
    watched.check()
    names["doors"] = 2
    watched.check()
    assert model.requests == [["how many?"], ["how many?", "one door", "how many?"]]


def test_a_watch_ends_after_its_last_answer():
    names = {"doors": 0}
    watched = ai.watch("how many?", agent=ai.Agent(looking("doors")), namespace=names, max_answers=2)
    for number in range(5):
        names["doors"] = number + 1
        watched.check()
    assert not watched.active and watched.is_due() is False and "ended" in repr(watched)


def test_a_watch_can_be_cancelled():
    names = {"doors": 0}
    with ai.watch("how many?", agent=ai.Agent(looking("doors")), namespace=names) as watched:
        assert watched.check() is not None and "19 answers left" in repr(watched)
    names["doors"] = 1
    assert watched.check() is None and watched.answer.text == "seen"


def test_the_limits_of_the_agent_hold():
    watched = ai.watch("how many?", agent=ai.Agent(looking("doors"), limits=ai.Limits(max_steps=1)), namespace={"doors": 1})
    answer = watched.check()
    assert answer.reason == "max_steps" and watched.names == ["*", "doors"]


counted = [1]


def test_by_default_a_watch_looks_at_the_module_that_calls():
    watched = ai.watch("what is counted?", agent=ai.Agent("offline"))
    assert "[1]" in watched.check().text
    counted.append(2)
    try:
        assert "[1, 2]" in watched.check().text
    finally:
        counted.pop()
    assert "[1]" in ai.watch("what is counted?", agent=ai.Agent("offline"), namespace=sys.modules[__name__]).check().text


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"question": " "}, "needs a question"),
        ({"question": "x?", "max_answers": 0}, "max_answers"),
        ({"question": "x?", "every": "second"}, "every is"),
        ({"question": "x?", "namespace": 3}, "a module or a dict"),
    ],
)
def test_a_watch_that_makes_no_sense_is_refused(options, text):
    with pytest.raises(ai.ConfigurationError, match=text):
        ai.watch(agent=ai.Agent("offline"), **options)


def test_there_are_no_cells_outside_of_ipython():
    code = "import pyaichat as ai\ntry: ai.watch('x?', every='cell')\nexcept ai.ConfigurationError as error: print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert "no cells outside of IPython" in done.stdout and "check()" in done.stdout


def test_a_watch_is_not_pickled():
    with pytest.raises(ai.Error, match="cannot be pickled"):
        pickle.dumps(ai.watch("x?", agent=ai.Agent("offline"), namespace={}))


def test_a_look_for_changes_runs_no_code_of_an_object():
    ran = []

    class Wire:
        def __getattribute__(self, name):
            ran.append(name)
            return object.__getattribute__(self, name)

        def __eq__(self, other):
            ran.append("eq")
            return True

        def __hash__(self):
            ran.append("hash")
            return hash("wire")

        __repr__ = __str__ = __len__ = __bool__ = __iter__ = lambda self: ran.append("special") or 1

    class Listed(list):
        __len__ = __iter__ = __getitem__ = lambda self, *_: ran.append("special") or 1

    wire = Wire()
    names = {"wire": wire, "listed": Listed([1]), "inside": [wire], "keys": {wire: wire}, wire: 1}
    del ran[:]
    watched = ai.watch("what is wire?", agent=ai.Agent(looking("[wire, listed, inside, keys]")), namespace=names)
    watched.check()
    assert watched.check() is None
    fingerprint(frozenset("*"), names)
    assert ran == []


def test_names_are_found_in_any_expression():
    assert names_in("a[b].c + f(d, *[e for e in g])") == {"a", "b", "f", "d", "e", "g"}
    assert names_in("not an ( expression") == set() and names_in("(" * 5000) == set()


# in IPython


def ipython(tmp_path, *cells):
    """What each cell prints."""
    pytest.importorskip("IPython")
    environment = {"IPYTHONDIR": str(tmp_path), "HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(sys.path)}
    done = subprocess.run([sys.executable, "-c", SHELL, *cells], capture_output=True, text=True, timeout=120, env=environment, cwd=tmp_path)
    return done.stdout.split("\f\n")[1:]


def test_a_watch_answers_after_the_cells_that_change_something(tmp_path):
    shown = ipython(
        tmp_path,
        "import pyaichat as ai; doors = [1]",
        "w = ai.watch('what is doors?', every='cell')",
        "other = 3",
        "doors.append(2)",
        "print(w)",
        "w.cancel(); doors.append(3)",
        "doors.append(4)",
    )
    assert "[1]" in shown[1] and shown[2].strip() == "" and "[1, 2]" in shown[3]
    assert "18 answers left" in shown[4] and "`doors`" not in shown[4]
    assert "`doors`" not in shown[5] + shown[6]


def test_a_watch_of_ipython_ends_with_its_limit_and_with_the_extension(tmp_path):
    shown = ipython(
        tmp_path,
        "%load_ext pyaichat\nimport pyaichat as ai; doors = [1]",
        "w = ai.watch('what is doors?', every='cell', max_answers=2)",
        "doors.append(2)",
        "doors.append(3)",
        "v = ai.watch('what is doors?', every='cell')",
        "%unload_ext pyaichat",
        "doors.append(4); print(v.active)",
    )
    assert "given its last answer" in shown[2] and "`doors`" not in shown[3]
    assert "`doors`" in shown[4] and "`doors`" not in shown[6] and "False" in shown[6]


def test_a_watch_uses_the_settings_of_the_magics(tmp_path):
    shown = ipython(
        tmp_path,
        "%load_ext pyaichat\nimport pyaichat as ai; doors = [1234]",
        "%ai_config values=schema",
        "w = ai.watch('what is doors?', every='cell')",
    )
    assert "doors" in shown[2] and "1234" not in shown[2]
