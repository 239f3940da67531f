"""Capabilities from functions: what is declared, what the function gets, what the model reads."""

import asyncio
import dataclasses
import enum
import functools
import sys
import threading
import time
from typing import Annotated, Any, Dict, List, Literal, NamedTuple, Optional, Tuple, TypedDict, Union

import pytest

import pyaichat as ai
from models import calling, error_of, replies, result_of


def declared(function, **options):
    """The declaration of a function, as a model gets it."""
    seen = []

    def model(request):
        seen.extend(request.functions)
        return "done"

    agent = ai.Agent(model, namespace=None)
    agent.add(function, **options)
    agent.ask("what is there?")
    return seen[0]


def called(function, **arguments):
    """The answer of a run in which the model calls a function once."""
    agent = ai.Agent(calling(function.__name__, arguments), namespace=None, capabilities=[function])
    return agent.ask("do it")


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"


class Size(enum.Enum):
    SMALL = (1, 2)
    LARGE = (3, 4)


@dataclasses.dataclass
class Point:
    x: float
    y: float = 0.0


@dataclasses.dataclass
class Line:
    points: list[Point]
    name: Optional[str] = None


class Door(TypedDict, total=False):
    width: int
    color: Color


class Pair(NamedTuple):
    first: int
    second: str = "none"


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (str, {"type": "string"}),
        (bool, {"type": "boolean"}),
        (None, {"type": "null"}),
        (Any, {}),
        (list, {"type": "array"}),
        (dict, {"type": "object"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (List[int], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (Dict[str, float], {"type": "object", "additionalProperties": {"type": "number"}}),
        (tuple[int, ...], {"type": "array", "items": {"type": "integer"}}),
        (Tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2}),
        (Literal["a", 3], {"enum": ["a", 3]}),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Union[int, str], {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (int | None, {"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        (Color, {"enum": ["red", "green"]}),
        (Size, {"enum": ["SMALL", "LARGE"]}),
        (Annotated[int, "how many"], {"type": "integer", "description": "how many"}),
        (
            Point,
            {
                "type": "object",
                "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
                "required": ["x"],
                "additionalProperties": False,
            },
        ),
        (
            Door,
            {
                "type": "object",
                "properties": {"width": {"type": "integer"}, "color": {"enum": ["red", "green"]}},
                "required": [],
                "additionalProperties": False,
            },
        ),
        (
            Pair,
            {
                "type": "object",
                "properties": {"first": {"type": "integer"}, "second": {"type": "string"}},
                "required": ["first"],
                "additionalProperties": False,
            },
        ),
    ],
    ids=str,
)
def test_a_type_has_its_schema(hint, schema):
    def look(value) -> None:
        """Looks."""

    look.__annotations__["value"] = hint
    assert declared(look)["parameters"]["properties"]["value"] == schema


@pytest.mark.parametrize(
    ("hint", "sent", "got"),
    [
        (int, 3, 3),
        (int, 3.0, 3),
        (float, 3, 3.0),
        (tuple[int, str], [1, "a"], (1, "a")),
        (tuple[int, ...], [1, 2], (1, 2)),
        (Literal["a", 3], 3, 3),
        (Color, "red", Color.RED),
        (Size, "LARGE", Size.LARGE),
        (Point, {"x": 1}, Point(1.0)),
        (Line, {"points": [{"x": 1, "y": 2}], "name": None}, Line([Point(1.0, 2.0)])),
        (Door, {"color": "green"}, {"color": Color.GREEN}),
        (Pair, {"first": 1}, Pair(1)),
        (Optional[Point], None, None),
        (Optional[Point], {"x": 1}, Point(1.0)),
        (Union[int, str], "a", "a"),
        (Union[Point, Pair], {"first": 1, "second": "b"}, Pair(1, "b")),
        (dict[str, Color], {"a": "red"}, {"a": Color.RED}),
        (list[tuple[int, ...]], [[1], [2, 3]], [(1,), (2, 3)]),
        (dict[str, Any], {"a": [1, None]}, {"a": [1, None]}),
    ],
    ids=str,
)
def test_a_function_gets_a_value_of_its_type(hint, sent, got):
    received = []

    def look(value) -> None:
        """Looks."""
        received.append(value)

    look.__annotations__["value"] = hint
    result_of(called(look, value=sent))
    assert received == [got] and type(received[0]) is type(got)


@pytest.mark.parametrize(
    ("hint", "sent"),
    [
        (int, 1.5),
        (int, "3"),
        (bool, 1),
        (Color, "blue"),
        (Point, {"y": 1}),
        (Point, {"x": 1, "z": 2}),
        (tuple[int, str], [1]),
        (Annotated[int, type("Ge", (), {"ge": 1})], 0),
        (list[int], [1, "a"]),
    ],
    ids=str,
)
def test_a_value_that_does_not_fit_never_reaches_the_function(hint, sent):
    received = []

    def look(value) -> None:
        """Looks."""
        received.append(value)

    look.__annotations__["value"] = hint
    answer = called(look, value=sent)
    denied = [event for event in answer.events if isinstance(event, ai.CallDenied)]
    assert received == [] and denied[0].reply["error"]["code"] == "invalid_args"


@pytest.mark.parametrize("hint", [object, set, set[int], bytes, complex, type, list[object], dict[int, str], Literal[b"a"], "set[int]"], ids=str)
def test_another_type_is_refused_with_the_name_of_the_parameter(hint):
    def look(thing) -> None:
        """Looks."""

    look.__annotations__["thing"] = hint
    with pytest.raises(TypeError, match="the parameter 'thing' of the capability 'look' is of type "):
        ai.Agent("offline").add(look)


def test_a_member_of_another_type_is_refused_with_its_name():
    @dataclasses.dataclass
    class Box:
        content: object

    def look(box) -> None:
        """Looks."""

    look.__annotations__["box"] = Box
    with pytest.raises(TypeError, match="'box' .*Box, whose member 'content' is of type object"):
        ai.Agent("offline").add(look)


@dataclasses.dataclass
class Node:
    children: "list[Node]"


def test_a_type_that_refers_to_itself_is_refused():
    def look(node: Node) -> None:
        """Looks."""

    with pytest.raises(TypeError, match="refers to itself"):
        ai.Agent("offline").add(look)


def test_the_signature_and_the_docstring_make_the_declaration():
    def price(item: str, *, currency: Literal["EUR", "USD"] = "EUR") -> float:
        """What an item costs.

        Prices are of today.

        item: name as in the catalogue,
            in lower case
        """
        return 0.0

    declaration = declared(price)
    assert declaration["name"] == "price"
    assert declaration["description"] == "What an item costs.\n\nPrices are of today."
    assert declaration["parameters"] == {
        "type": "object",
        "properties": {
            "item": {"type": "string", "description": "name as in the catalogue, in lower case"},
            "currency": {"enum": ["EUR", "USD"], "default": "EUR"},
        },
        "required": ["item"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    "docstring",
    [
        "Opens.\n\nArgs:\n    door: which one\n\nReturns:\n    nothing",
        "Opens.\n\nArgs:\n    door (str): which one",
        "Opens.\n\n:param door: which one\n:returns: nothing",
        "Opens.\n\ndoor: which one",
    ],
)
def test_usual_forms_of_docstrings_are_read(docstring):
    def open_it(door: str) -> None:
        pass

    open_it.__doc__ = docstring
    declaration = declared(open_it)
    assert declaration["description"] == "Opens."
    assert declaration["parameters"]["properties"]["door"]["description"] == "which one"


def test_a_description_in_the_annotation_wins():
    def open_it(door: Annotated[str, "by its name"]) -> None:
        """Opens.

        door: which one
        """

    assert declared(open_it)["parameters"]["properties"]["door"]["description"] == "by its name"


def test_a_function_without_a_docstring_is_refused():
    def look() -> None:
        pass

    with pytest.raises(TypeError, match="'look' has no docstring"):
        ai.Agent("offline").add(look)
    assert declared(look, description="Looks.")["description"] == "Looks."


def test_a_parameter_without_an_annotation_is_refused():
    def look(thing):
        """Looks."""

    with pytest.raises(TypeError, match="the parameter 'thing' of the capability 'look' has no annotation"):
        ai.Agent("offline").add(look)


@pytest.mark.parametrize("signature", ["*things: int", "**things: int"])
def test_any_number_of_arguments_is_refused(signature):
    scope = {}
    exec(f"def look({signature}):\n    'Looks.'", scope)
    with pytest.raises(TypeError, match="'things' of the capability 'look' takes any number of arguments"):
        ai.Agent("offline").add(scope["look"])


def test_generators_are_refused():
    def count(to: int):
        """Counts."""
        yield to

    async def count_slowly(to: int):
        """Counts."""
        yield to

    for function in (count, count_slowly):
        with pytest.raises(TypeError, match="is a generator"):
            ai.Agent("offline").add(function)


def test_an_annotation_that_cannot_be_resolved_is_refused():
    def look(thing: "Nowhere") -> None:  # noqa: F821
        """Looks."""

    with pytest.raises(TypeError, match="annotation of the capability 'look' cannot be resolved: .*Nowhere"):
        ai.Agent("offline").add(look)


def test_what_is_no_function_is_refused():
    with pytest.raises(TypeError, match="a function or an object with specs"):
        ai.Agent("offline").add(3)


def test_a_lambda_needs_a_name():
    with pytest.raises(TypeError, match="has no name"):
        ai.Agent("offline").add(lambda: 3, description="Three.")
    assert declared(lambda: 3, name="three", description="Three.")["name"] == "three"


def test_a_partial_function_and_a_method_are_capabilities():
    class Shop:
        def price(self, item: str) -> int:
            """What an item costs."""
            return len(item)

    def add(a: int, b: int) -> int:
        """Adds."""
        return a + b

    agent = ai.Agent(calling("price", {"item": "door"}), namespace=None, capabilities=[Shop().price])
    assert result_of(agent.ask("how much?")) == 4
    agent = ai.Agent(calling("inc", {"b": 2}), namespace=None)
    agent.add(functools.partial(add, 1), name="inc", description="Adds one.")
    assert result_of(agent.ask("how much?")) == 3


def test_positional_parameters_are_passed_by_position():
    def add(a: int, b: int = 10, /, c: int = 100) -> int:
        """Adds."""
        return a + b + c

    assert result_of(called(add, a=1, b=2, c=3)) == 6
    assert result_of(called(add, a=1, c=3)) == 14


def test_a_name_that_is_taken_is_refused():
    def look() -> None:
        """Looks."""

    agent = ai.Agent("offline", capabilities=[look])
    with pytest.raises(ai.ConfigurationError, match="a capability 'look' already"):
        agent.add(look)
    assert agent.capabilities == ["look"]


def test_a_name_of_the_session_is_refused_with_the_way_out():
    def inspect() -> None:
        """Looks."""

    agent = ai.Agent("offline", capabilities=[inspect])
    with pytest.raises(ai.ConfigurationError, match="inspect"):
        agent.ask("what is there?")


@pytest.mark.parametrize("name", ["with blank", "9lives", "a" * 65])
def test_a_name_that_services_refuse_is_refused(name):
    with pytest.raises(ai.ConfigurationError):
        ai.Agent("offline").add(lambda: 3, name=name, description="Three.")


def test_the_decorator_returns_the_function():
    agent = ai.Agent("offline")

    @agent.capability
    def one() -> int:
        """One."""
        return 1

    @agent.capability(effects="read", name="zwei")
    def two() -> int:
        """Two."""
        return 2

    assert (one(), two(), agent.capabilities) == (1, 2, ["one", "zwei"])


def test_other_effects_are_refused():
    with pytest.raises(TypeError, match="'read', 'idempotent' or 'once', not 'twice'"):
        ai.Agent("offline").add(lambda: 3, name="three", description="Three.", effects="twice")


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (None, None),
        (True, True),
        (2**80, str(2**80)),
        (-5, -5),
        (1.5, 1.5),
        (float("nan"), "nan"),
        ([float("-inf")], ["-inf"]),
        ("text \ud800", "text ?"),
        ((1, "a"), [1, "a"]),
        ({"a": [1]}, {"a": [1]}),
        ({1: "a"}, {"1": "a"}),
        (Color.RED, "red"),
        (Size.SMALL, "SMALL"),
        (Point(1, 2), {"x": 1, "y": 2}),
        (Pair(1, "b"), {"first": 1, "second": "b"}),
        ([Line([Point(1)])], [{"points": [{"x": 1, "y": 0.0}], "name": None}]),
    ],
    ids=str,
)
def test_a_result_is_json(value, result):
    def look():
        """Looks."""
        return value

    assert result_of(called(look)) == result


def test_a_result_that_is_not_json_is_an_error_that_names_the_type():
    def look():
        """Looks."""
        return {"a": [object()]}

    error = error_of(called(look))
    assert error["code"] == "internal" and "type object" in error["message"]


def test_a_result_that_contains_itself_is_an_error():
    def look():
        """Looks."""
        loop = []
        loop.append(loop)
        return loop

    error = error_of(called(look))
    assert error["code"] == "internal" and "contains itself" in error["message"]


def test_two_keys_that_are_the_same_as_text_are_an_error():
    def look():
        """Looks."""
        return {1: "a", "1": "b"}

    assert "two keys" in error_of(called(look))["message"]


def test_a_scalar_of_numpy_is_a_number():
    numpy = pytest.importorskip("numpy")

    def look():
        """Looks."""
        return [numpy.int64(3), numpy.float64(1.5), numpy.bool_(True)]

    assert result_of(called(look)) == [3, 1.5, True]


def test_a_coroutine_that_is_cancelled_is_a_reply():
    import asyncio

    async def look():
        """Looks."""
        raise asyncio.CancelledError

    assert error_of(called(look))["code"] == "cancelled"


def test_capabilities_may_be_added_on_several_threads():
    agent = ai.Agent("offline", namespace=None)

    def add(start):
        for number in range(start, start + 25):
            agent.add(lambda: None, name=f"look_{number}", description="Looks.")

    threads = [threading.Thread(target=add, args=(25 * each,)) for each in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(agent.capabilities) == 100


@pytest.mark.parametrize("fails", ["raises", "text", "no reply"])
def test_a_reply_is_withheld_if_the_hook_that_checks_it_fails(fails, caplog):
    class Checking(ai.Hooks):
        def after_call(self, call, reply):
            if fails == "raises":
                raise KeyError("x")
            return "text" if fails == "text" else {"result": "x"}

    def look():
        """Looks."""
        return "card 4111-1111"

    seen = []

    def model(request):
        seen.extend(replies(request))
        return "done" if seen else ai.Response(calls=[ai.Call("look")])

    ai.Agent(model, namespace=None, capabilities=[look], hooks=[Checking()]).ask("x")
    assert len(seen) == 1 and not seen[0]["ok"] and "withheld" in seen[0]["error"]["message"]
    assert fails != "raises" or "a hook failed: Checking.after_call" in caplog.text


def test_an_exception_is_a_reply_and_the_run_goes_on():
    def look(key: str) -> str:
        """Looks."""
        return {"a": "b"}[key]

    answer = called(look, key="c")
    error = error_of(answer)
    assert error["code"] == "python_exception" and error["details"]["exc_type"] == "KeyError"
    assert any("look" in line for line in error["details"]["traceback"])
    assert answer.reason == "complete"


def test_a_capability_refuses_with_a_text_for_the_model():
    def erase(name: str) -> None:
        """Erases."""
        raise ai.Refuse(f"{name} is in use: close it first")

    error = error_of(called(erase, name="a.txt"))
    assert error["code"] == "not_allowed" and error["message"] == "a.txt is in use: close it first"


def test_an_exception_with_a_broken_text_is_a_reply():
    class Broken(Exception):
        def __str__(self):
            raise ValueError("no text")

    def look() -> None:
        """Looks."""
        raise Broken

    assert error_of(called(look))["code"] in ("python_exception", "internal")


def test_an_unknown_name_gets_the_nearest_one():
    def price() -> int:
        """What it costs."""
        return 1

    agent = ai.Agent(calling("prise"), namespace=None, capabilities=[price])
    (denied,) = [event for event in agent.ask("how much?").events if isinstance(event, ai.CallDenied)]
    assert denied.reply["error"]["code"] == "unknown_function" and "price" in str(denied.reply)


def test_a_coroutine_runs_in_ask():
    async def fetch(item: str) -> str:
        """Fetches."""
        await asyncio.sleep(0.01)
        return item * 2

    assert result_of(called(fetch, item="ab")) == "abab"


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), 10**400, "5", True])
def test_a_timeout_that_is_no_time_is_refused(timeout):
    def fetch() -> int:
        "Fetches."
        return 1

    with pytest.raises((ai.ConfigurationError, TypeError), match="timeout of the capability 'fetch' is a number of seconds"):
        ai.Agent("offline", namespace=None).add(fetch, timeout=timeout)


def test_a_coroutine_is_ended_at_its_timeout():
    async def fetch() -> None:
        """Fetches."""
        await asyncio.sleep(30)

    agent = ai.Agent(calling("fetch"), namespace=None)
    agent.add(fetch, timeout=0.1, effects="read")
    began = time.monotonic()
    assert error_of(agent.ask("fetch it"))["code"] == "timeout"
    assert time.monotonic() - began < 5


def test_an_object_declares_and_runs_its_own_capabilities():
    class Shop:
        def __init__(self):
            self.items = {"door": 3}

        def specs(self):
            return [
                {
                    "name": "count_" + item,
                    "description": f"How many pieces of {item} there are.",
                    "parameters": {"type": "object", "properties": {"shelf": {"type": "integer"}}},
                    "effects": "read",
                }
                for item in self.items
            ]

        def invoke(self, name, arguments):
            return {"count": self.items[name.removeprefix("count_")], **arguments}

    agent = ai.Agent(calling("count_door", {"shelf": 1}), namespace=None, capabilities=[Shop()])
    assert result_of(agent.ask("how many doors?")) == {"count": 3, "shelf": 1}


def test_an_object_whose_specs_raise_ends_the_run_with_the_reason():
    class Broken:
        def specs(self):
            raise RuntimeError("no list")

        def invoke(self, name, arguments):
            return None

    with pytest.raises(ai.ConfigurationError, match="no list"):
        ai.Agent("offline", namespace=None, capabilities=[Broken()]).ask("what is there?")


def test_a_capability_may_ask_another_agent():
    inner = ai.Agent("offline", namespace={"gate": 17})

    def ask(question: str) -> str:
        """Asks a colleague."""
        return inner.ask(question).text

    assert "17" in result_of(called(ask, question="what is gate?"))


def test_approval_decides_about_calls():
    seen = []

    def pay(amount: int) -> int:
        """Pays."""
        return amount

    def decide(call):
        seen.append(call)
        return decision

    for decision in (True, False, "too much", {"amount": 1}, None):
        agent = ai.Agent(calling("pay", {"amount": 5}), namespace=None, capabilities=[pay], approval=decide)
        answer = agent.ask("pay 5")
        denied = [event.reply["error"] for event in answer.events if isinstance(event, ai.CallDenied)]
        if decision in (True, None):
            assert result_of(answer) == 5
        elif isinstance(decision, dict):
            assert result_of(answer) == 1
        else:
            assert denied[0]["code"] == "denied" and (decision or "not allowed") in denied[0]["message"]
    assert isinstance(seen[0], ai.ProposedCall) and seen[0].name == "pay" and seen[0].arguments == {"amount": 5}


def test_an_approval_function_that_raises_denies():
    def pay() -> None:
        """Pays."""

    def decide(call):
        raise RuntimeError("no")

    answer = ai.Agent(calling("pay"), namespace=None, capabilities=[pay], approval=decide).ask("pay")
    assert [event for event in answer.events if isinstance(event, ai.CallDenied)] and not answer.calls


def test_the_policy_ask_passes_expressions_to_the_approval_function():
    asked = []

    def decide(call):
        asked.append(call)
        return True if call.reason else None

    number = 20
    agent = ai.Agent(calling("eval_expr", {"expr": "number.bit_length()"}), eval_policy="ask", approval=decide)
    assert result_of(agent.ask("how long is it?"))["value_repr"] == "5"
    assert asked[-1].reason and number == 20


def test_the_policy_ask_without_an_approval_function_pauses_the_run():
    number = 20
    answer = ai.Agent(calling("eval_expr", {"expr": "number.bit_length()"}), eval_policy="ask").ask("how long is it?")
    assert answer.reason == "awaiting_approval" and answer.degraded and number == 20


def test_hooks_observe_and_restrict():
    log = []

    class Guard(ai.Hooks):
        def on_question(self, question):
            log.append(question)

        def before_call(self, call):
            return "not today" if call.name == "pay" else None

        def after_call(self, call, reply):
            return {"ok": True, "result": "hidden"}

        def on_answer(self, question, text, reason):
            return f"({reason})"

    def pay() -> None:
        """Pays."""

    def look() -> str:
        """Looks."""
        return "a secret"

    agent = ai.Agent(calling("pay"), namespace=None, capabilities=[pay, look], hooks=[Guard()])
    answer = agent.ask("pay")
    assert log == ["pay"] and answer.text.endswith("(complete)")
    assert "not today" in str([event.reply for event in answer.events if isinstance(event, ai.CallDenied)])
    agent = ai.Agent(calling("look"), namespace=None, capabilities=[pay, look], hooks=[Guard()])
    assert result_of(agent.ask("look")) == "hidden"


def test_pydantic_models_are_parameters():
    pydantic = pytest.importorskip("pydantic")

    class Item(pydantic.BaseModel):
        name: str
        count: int = 1

    received = []

    def order(item) -> Any:
        """Orders."""
        received.append(item)
        return item

    order.__annotations__["item"] = Item
    assert result_of(called(order, item={"name": "door"})) == {"name": "door", "count": 1}
    assert received == [Item(name="door")]


def test_registering_a_function_does_not_import_pydantic():
    import subprocess

    script = (
        "import sys, pyaichat as ai\n"
        "def f(x: int) -> int:\n    'F.'\n    return x\n"
        "ai.Agent('offline', capabilities=[f]); print('pydantic' in sys.modules, 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.stdout == "False False\n", done.stderr
