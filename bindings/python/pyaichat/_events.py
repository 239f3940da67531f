"""The events of a run, in the order in which they happen."""

from __future__ import annotations

from ._images import Image, images_of
from ._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Usage(Record):
    """Tokens. Counts that a service does not send are 0."""

    __slots__ = ("input_tokens", "output_tokens", "cached_tokens", "thought_tokens")
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    thought_tokens: int

    @property
    def total(self) -> int:
        """Input plus output tokens."""
        return self.input_tokens + self.output_tokens


class Event(Record):
    """Something that happened in a run. `number` counts from 1 without gaps, `time` is in seconds on a clock that never goes back."""

    __slots__ = ("number", "run_id", "time")
    number: int
    run_id: str
    time: float


class RunStarted(Event):
    """The run has begun."""

    __slots__ = ("question",)
    question: str


class StepStarted(Event):
    """A model call has begun. `step` counts from 1."""

    __slots__ = ("step",)
    step: int


class TextDelta(Event):
    """A piece of text, as the model streams it."""

    __slots__ = ("step", "text")
    step: int
    text: str


class ThoughtDelta(Event):
    """A piece of a summary of the model's thinking."""

    __slots__ = ("step", "text")
    step: int
    text: str


class StepWithdrawn(Event):
    """All deltas of this step are withdrawn: its attempt failed."""

    __slots__ = ("step", "why")
    step: int
    why: str


class PartialValue(Event):
    """What the model has streamed of the answer to a question with `returns`, as JSON; at last the whole value.

    Texts get longer, and lists and dicts get more members, unless `StepWithdrawn` comes between. It need not fit the type yet."""

    __slots__ = ("step", "value")
    step: int
    value: Any


class CallsProposed(Event):
    """The model asks for calls. Each is a dict with `id`, `name` and `arguments`."""

    __slots__ = ("step", "calls")
    step: int
    calls: list[dict[str, Any]]


class CallDenied(Event):
    """A call got a reply without being run."""

    __slots__ = ("step", "call", "name", "arguments", "reply")
    step: int
    call: int
    name: str
    arguments: dict[str, Any]
    reply: dict[str, Any]


class CallStarted(Event):
    """A capability runs."""

    __slots__ = ("step", "call", "name", "arguments")
    step: int
    call: int
    name: str
    arguments: dict[str, Any]


class CallOutput(Event):
    """Output of a running capability."""

    __slots__ = ("step", "call", "text")
    step: int
    call: int
    text: str


class CallFinished(Event):
    """A capability has replied. `reply` and `images` are what the model gets, `took` is in seconds."""

    __slots__ = ("step", "call", "name", "arguments", "reply", "took", "images")
    _defaults: dict[str, object] = {"images": ()}
    step: int
    call: int
    name: str
    arguments: dict[str, Any]
    reply: dict[str, Any]
    took: float
    images: tuple[Image, ...]

    @property
    def ok(self) -> bool:
        """Whether the reply is a result, not an error."""
        return bool(self.reply.get("ok"))

    @property
    def looked(self) -> bool:
        """Whether the call has looked at the variables. Its result then says whether code of the objects ran."""
        return isinstance(self._facts.get("ran_user_code"), bool)

    @property
    def tier(self) -> int | None:
        """How the object was looked at: 0 structure only, 1 adapters of trusted libraries, 2 in a copy of the process, 3 live."""
        return self._facts.get("tier")

    @property
    def ran_user_code(self) -> bool:
        """Whether code of the objects ran in this process or in its copy, also if the call failed or was given up after that."""
        if self.name == "eval_expr" and self._error.get("code") == "in_doubt":
            return True  # it was running when its time was over
        return bool(self._facts.get("ran_user_code"))

    @property
    def _error(self) -> dict[str, Any]:
        error = self.reply.get("error")
        return error if isinstance(error, dict) else {}

    @property
    def _facts(self) -> dict[str, Any]:
        """The result, or what an error says instead."""
        facts = self.reply.get("result") if self.ok else self._error.get("details")
        return facts if isinstance(facts, dict) else {}


class RetryScheduled(Event):
    """The model call is made again after `delay` seconds."""

    __slots__ = ("step", "retry", "delay", "why")
    step: int
    retry: int
    delay: float
    why: str


class UsageUpdated(Event):
    """The tokens of the run so far, and their cost in US dollars, or None if it is not known."""

    __slots__ = ("usage", "cost")
    _defaults: dict[str, object] = {"cost": None}
    usage: Usage
    cost: float | None


class StepFinished(Event):
    """A model call and the calls that it asked for have ended."""

    __slots__ = ("step",)
    step: int


class RunFinished(Event):
    """The run has ended. The last event."""

    __slots__ = ("reason",)
    reason: str


_KINDS: dict[str, type[Event]] = {
    "run_started": RunStarted,
    "step_started": StepStarted,
    "text_delta": TextDelta,
    "thought_delta": ThoughtDelta,
    "step_withdrawn": StepWithdrawn,
    "partial_value": PartialValue,
    "calls_proposed": CallsProposed,
    "call_denied": CallDenied,
    "call_started": CallStarted,
    "call_output": CallOutput,
    "call_finished": CallFinished,
    "retry_scheduled": RetryScheduled,
    "usage_updated": UsageUpdated,
    "step_finished": StepFinished,
    "run_finished": RunFinished,
}


def event_of(native: tuple[str, int, str, float, dict[str, Any]]) -> Event:
    """Makes an event of what the compiled module gives."""
    name, number, run_id, time, data = native
    if "usage" in data:
        data["usage"] = Usage(**data["usage"])
    if "images" in data:
        data["images"] = tuple(images_of(data["images"]))
    kind = _KINDS.get(name, Event)  # the SDK may have types of events that this list has not
    return kind(number=number, run_id=run_id, time=time, **data)
