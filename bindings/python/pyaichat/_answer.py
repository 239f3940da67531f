"""What a run gives."""

from __future__ import annotations

from ._errors import DEGRADED, Degraded
from ._events import CallFinished, Event, Usage, event_of
from ._messages import Messages
from ._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._schema import Returned


class Failure(Record):
    """Why a model call failed. `message` is for a log, `hint` says what to do; `retry_after` is in seconds or None."""

    __slots__ = ("code", "message", "hint", "retry_after")
    code: str
    message: str
    hint: str
    retry_after: float | None


class Answer(Record):
    """The outcome of a run. `str(answer)` is its text. It can be pickled.

    text: never empty; for a person
    reason: how the run ended: "complete", or the limit or failure that degraded the answer
    error: the failure of the provider or the setup, or None
    usage: the tokens of the run
    cost: of all its responses, in US dollars; None if the model has no price (see `Price`)
    steps: how many model calls were made
    messages: the conversation, for `history=` of the next question
    events: all events of the run, in order
    value: the answer to a question with `returns`, of that type; None for other questions, and if the answer is degraded
    """

    __slots__ = ("text", "reason", "error", "usage", "steps", "messages", "events", "value", "cost")
    _defaults: dict[str, object] = {"value": None, "cost": None}
    text: str
    reason: str
    error: Failure | None
    usage: Usage
    steps: int
    messages: Messages
    events: list[Event]
    value: Any
    cost: float | None

    @property
    def degraded(self) -> bool:
        """Whether the run ended early. The text then says why."""
        return self.reason != "complete"

    @property
    def calls(self) -> list[CallFinished]:
        """The calls that the run has made, in order."""
        return [event for event in self.events if isinstance(event, CallFinished)]

    def raise_if_degraded(self) -> Answer:
        """Returns the answer, or raises `Degraded` or the subclass that fits if it is degraded."""
        if self.degraded:
            raise DEGRADED.get(self.reason, Degraded)(self)
        return self

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        text = self.text if len(self.text) <= 60 else self.text[:57] + "..."
        return f"Answer({text!r}, reason={self.reason!r}, steps={self.steps}, calls={len(self.calls)})"

    def _repr_markdown_(self) -> str:
        return self.text


def answer_of(native: dict[str, Any], returned: Returned | None = None) -> Answer:
    """Makes an answer of what the compiled module gives, with a value if the question has `returns`."""
    error = native["error"]
    text, reason, value = native["text"], native["reason"], None
    if returned is not None and reason == "complete":
        try:
            value = returned.decode(native["value"])
        except ValueError as misfit:  # of a type that checks more than its schema says
            text, reason = f"The answer is not valid: {misfit}", "invalid_response"
    return Answer(
        text=text,
        reason=reason,
        value=value,
        error=Failure(**error) if error else None,
        usage=Usage(**native["usage"]),
        cost=native["cost"],
        steps=native["steps"],
        messages=Messages(native["messages"]),
        events=[event_of(each) for each in native["events"]],
    )
