"""Approval functions and hooks, as the compiled module calls them."""

from __future__ import annotations

from . import _native
from ._errors import ConfigurationError
from ._record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Union

    Decision = Union[bool, str, dict[str, Any], None]
    Approval = Callable[["ProposedCall"], Decision]


_CO_COROUTINE = 0x80


class ProposedCall(Record):
    """A call that the model asks for, for an approval function.

    effects: "read", "idempotent" or "once"
    origin: who declares the capability
    reason: why a person is asked; empty if the call is not waiting for one
    """

    __slots__ = ("number", "id", "name", "arguments", "effects", "origin", "reason")
    _defaults: dict[str, object] = {"reason": ""}
    number: int
    id: str
    name: str
    arguments: dict[str, Any]
    effects: str
    origin: str
    reason: str


def decision_of(decided: Decision) -> tuple[str, Any]:
    """The decision of an approval function as the compiled module takes it."""
    if decided is None:
        return ("abstain", None)
    if decided is True:
        return ("allow", None)
    if decided is False:
        return ("deny", "The person has not allowed this call.")
    if isinstance(decided, str):
        return ("deny", decided)
    if isinstance(decided, dict):
        return ("change", decided)
    raise TypeError(f"an approval function returns True, False, a reason, other arguments or None, not {type(decided).__name__}")


def deciding(approval: Approval) -> Callable[[dict[str, Any]], tuple[str, Any]]:
    """Wraps an approval function. If it raises, the call is denied."""
    if not callable(approval):
        raise ConfigurationError(f"approval is a function of a ProposedCall, not {type(approval).__name__}")
    if getattr(getattr(approval, "__code__", None), "co_flags", 0) & _CO_COROUTINE:
        raise ConfigurationError("approval is a function, not a coroutine", hint="Return None to leave the decision open, and decide later.")
    return lambda call: decision_of(approval(ProposedCall(**call)))


class Hooks:
    """Observes runs and may restrict them. Override what you need; the other members do nothing.

    What a hook raises is logged by the logger "pyaichat". A call whose `before_call` raises is denied; a reply whose `after_call` raises, or
    returns something else than a reply, is withheld from the model.
    """

    def on_question(self, question: str) -> None:
        """A run has begun."""

    def before_call(self, call: ProposedCall) -> Decision:
        """A call is about to run. Return False or a reason to deny it, other arguments to change it, None to leave it."""
        return None

    def after_call(self, call: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any] | None:
        """A call has replied. Return another reply for the model, or None to keep it."""
        return None

    def on_answer(self, question: str, text: str, reason: str) -> str | None:
        """The run has ended. Return a note that is appended to the text, or None."""
        return None


class NativeHooks:
    """The hooks of one run, as the compiled module calls them."""

    __slots__ = ("_hooks", "_guarded")

    def __init__(self, hooks: Hooks, guarded: Callable[..., Any]) -> None:
        self._hooks = hooks
        self._guarded = guarded

    def on_question(self, question: str) -> None:
        self._logged(self._hooks.on_question, question)

    def before_call(self, call: dict[str, Any]) -> tuple[str, Any]:
        return decision_of(self._logged(self._hooks.before_call, ProposedCall(**call)))

    def after_call(self, call: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any] | None:
        try:
            changed: dict[str, Any] | None = self._logged(self._hooks.after_call, call, reply)
            if changed is not None:
                _native.check_reply(changed)
            return changed
        except Exception as error:
            # The hook may be what keeps a value from the model.
            text = f"the reply was withheld, because the hook that checks it failed: {type(error).__name__}"
            return {"ok": False, "error": {"code": "internal", "message": text, "details": {}}}

    def on_answer(self, question: str, text: str, reason: str) -> str:
        return self._logged(self._hooks.on_answer, question, text, reason) or ""

    def _logged(self, hook: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return self._guarded(hook, *arguments)
        except Exception:
            import logging

            logging.getLogger("pyaichat").exception("a hook failed: %s.%s", type(self._hooks).__name__, hook.__name__)
            raise
