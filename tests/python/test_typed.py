"""Typed answers: `returns`."""

import asyncio
import dataclasses
import enum
import pickle
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict

import pytest

import pyaichat as ai
from pyaichat.testing import GeminiEmulator, ScriptedModel, call, fail, give, say


class Kind(enum.Enum):
    WALK = "walk"
    DRIVE = "drive"


@dataclasses.dataclass
class Stop:
    place: str
    minutes: int = 0


@dataclasses.dataclass
class Plan:
    title: str
    stops: list[Stop]
    kind: Kind = Kind.WALK
    warning: Optional[str] = None


class Door(TypedDict):
    width: int


class Pair(NamedTuple):
    first: int
    second: str


PLAN = {"title": "House", "stops": [{"place": "hall", "minutes": 2}, {"place": "attic"}], "kind": "drive"}
EXPECTED = Plan("House", [Stop("hall", 2), Stop("attic")], Kind.DRIVE)


def agent(*script, **options):
    return ai.Agent(ScriptedModel(*script), namespace=None, **options)


@pytest.mark.parametrize(
    ("returns", "given", "value"),
    [
        (Plan, PLAN, EXPECTED),
        (Door, {"width": 3}, {"width": 3}),
        (Pair, {"first": 1, "second": "a"}, Pair(1, "a")),
        (int, 3, 3),
        (float, 3, 3.0),
        (bool, True, True),
        (str, "three", "three"),
        (list[Stop], [{"place": "hall"}], [Stop("hall")]),
        (dict[str, int], {"a": 1}, {"a": 1}),
        (tuple[int, ...], [1, 2], (1, 2)),
        (Literal["a", "b"], "a", "a"),
        (Optional[int], None, None),
        (Kind, "walk", Kind.WALK),
        (Annotated[int, "how many"], 3, 3),
        (list, [1, "a"], [1, "a"]),
    ],
    ids=str,
)
def test_an_answer_is_a_value_of_its_type(returns, given, value):
    got = agent(give(given)).ask("well?", returns=returns)
    assert got == value and type(got) is type(value)


def test_an_answer_fits_a_json_schema():
    schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}
    assert agent(give({"n": 3})).ask("well?", returns=schema) == {"n": 3}


def test_an_answer_is_a_model_of_pydantic():
    pydantic = pytest.importorskip("pydantic")

    class Inner(pydantic.BaseModel):
        place: str

    class Trip(pydantic.BaseModel):
        title: str
        stops: list[Inner]

    got = agent(give({"title": "House", "stops": [{"place": "hall"}]})).ask("well?", returns=Trip)
    assert got == Trip(title="House", stops=[Inner(place="hall")])


def test_a_check_of_pydantic_that_fails_is_no_value():
    pydantic = pytest.importorskip("pydantic")

    class Even(pydantic.BaseModel):
        number: int

        @(getattr(pydantic, "field_validator", None) or pydantic.validator)("number")
        def even(cls, value):
            if value % 2:
                raise ValueError("must be even")
            return value

    with pytest.raises(ai.ModelFailed, match="must be even"):
        agent(give({"number": 3})).ask("well?", returns=Even)


@pytest.mark.parametrize(
    "wrong", [{"title": "House"}, {"title": 3, "stops": []}, {**PLAN, "more": 1}, {**PLAN, "kind": "fly"}, {**PLAN, "stops": [{}]}], ids=str
)
def test_an_answer_that_does_not_fit_is_repaired(wrong):
    model = ScriptedModel(give(wrong), give(PLAN))
    assert ai.Agent(model, namespace=None).ask("plan it", returns=Plan) == EXPECTED
    assert len(model.requests) == 2


def test_an_answer_that_never_fits_raises_with_the_answer():
    with pytest.raises(ai.ModelFailed) as caught:
        agent(give({"title": 3}), give({"title": 4})).ask("plan it", returns=Plan)
    assert caught.value.answer.reason == "invalid_response" and caught.value.answer.value is None


def test_a_failure_of_the_service_raises():
    with pytest.raises(ai.RateLimited):
        agent(fail("rate_limited", retry_after=60)).ask("plan it", returns=Plan)


def test_a_limit_raises():
    with pytest.raises(ai.LimitReached) as caught:
        agent(call("look"), limits=ai.Limits(max_steps=1), capabilities=[look]).ask("plan it", returns=Plan)
    assert caught.value.answer.reason == "max_steps" and [each.name for each in caught.value.answer.calls] == ["look"]


def look() -> str:
    """Looks."""
    return "a hall"


def test_capabilities_work_in_the_same_run():
    model = ScriptedModel(call("look"), give(PLAN))
    assert ai.Agent(model, namespace=None, capabilities=[look]).ask("plan it", returns=Plan) == EXPECTED
    assert model.requests[1].messages[-1].replies[0]["reply"]["result"] == "a hall"


def test_a_typed_answer_can_be_awaited():
    assert asyncio.run(agent(give(PLAN)).ask_async("plan it", returns=Plan)) == EXPECTED


def test_a_stream_shows_the_value_and_keeps_the_answer():
    stream = agent(give(PLAN)).stream("plan it", returns=Plan)
    partial = [event.value for event in stream if isinstance(event, ai.PartialValue)]
    assert partial[-1] == PLAN and stream.answer.value == EXPECTED and stream.answer.reason == "complete"
    assert pickle.loads(pickle.dumps(stream.answer)).value == EXPECTED


def test_a_service_that_knows_schemas_gets_it():
    with GeminiEmulator({"text": '{"title": "House", "stops": []}'}) as gemini:
        assert ai.Agent(gemini.model(), namespace=None).ask("plan it", returns=Plan) == Plan("House", [])
        assert "title" in str(gemini.requests[0]["body"])


def test_a_question_without_a_type_has_no_value():
    answer = agent(say("hello")).ask("hello?")
    assert answer.value is None and answer.text == "hello"


@pytest.mark.parametrize("returns", [object, set[int], list[object], dict[int, str], bytes], ids=str)
def test_a_type_without_a_json_form_is_refused(returns):
    with pytest.raises(TypeError, match="returns is of type .*: JSON has no such type"):
        agent().ask("well?", returns=returns)


def test_a_schema_that_is_none_is_refused():
    with pytest.raises(ai.ConfigurationError):
        agent(give(3)).ask("well?", returns={"type": "nothing"})


def test_the_offline_provider_counts():
    doors = [1, 2, 3]
    assert ai.Agent("offline").ask("how long is doors?", returns=int) == 3 and doors


def test_give_needs_a_question_that_wants_a_value():
    answer = agent(give(3)).ask("well?")
    assert answer.reason == "provider_failed" and "no `returns`" in answer.error.message


def test_anything_is_a_value():
    assert agent(give({"a": [1, None]})).ask("well?", returns=dict[str, Any]) == {"a": [1, None]}
