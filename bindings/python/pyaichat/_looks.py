"""What a run has looked at, in words: for the line under an answer, and for `%ai_trace`."""

from __future__ import annotations

from ._events import CallDenied, CallFinished

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_RAN = {
    None: "ran code of the object",
    2: "ran code of the object in a copy of the process",
    3: "ran code of the object here",
}


def expression_of(call: CallFinished) -> str | None:
    """The expression that a call has looked at, or None if the call does not look at one object."""
    expression = call.arguments.get("expr")
    return expression if call.looked and isinstance(expression, str) else None


def describe_call(call: CallFinished | CallDenied) -> str:
    """One line: the call, its time, its tier, and whether code of the object ran."""
    arguments = ", ".join(f"{value}" if name == "expr" else f"{name}={value!r}" for name, value in call.arguments.items())
    parts = [f"{call.name}({' '.join(arguments.split())})"]
    if isinstance(call, CallDenied):
        parts.append(f"did not run: {_code_of(call)}")
        return ", ".join(parts)
    parts.append(f"{call.took * 1000:.1f} ms")
    if call.tier is not None:
        parts.append(f"tier {call.tier}")
    if call.looked:
        parts.append(_RAN.get(call.tier, _RAN[None]) if call.ran_user_code else "no code ran")
    if not call.ok:
        parts.append(_code_of(call))
    return ", ".join(parts)


def summarize(calls: Iterable[CallFinished | CallDenied]) -> str:
    """One line about all calls: what they looked at, and whether code of the objects ran.

    >>> summarize([])
    ''
    """
    calls = list(calls)
    if not calls:
        return ""
    finished = [call for call in calls if isinstance(call, CallFinished)]
    parts = [f"{len(calls)} call{'' if len(calls) == 1 else 's'}"]
    if len(finished) < len(calls):
        parts.append(f"{len(calls) - len(finished)} not allowed")
    expressions = list(dict.fromkeys(filter(None, map(expression_of, finished))))
    if expressions:
        parts.append(f"looked at {', '.join(expressions[:5])}{' and others' if len(expressions) > 5 else ''}")
    if any(call.looked for call in finished):
        ran = sum(call.ran_user_code for call in finished)
        parts.append("no code of the objects ran" if not ran else f"code of the objects ran in {ran} of them")
    return ", ".join(parts)


def _code_of(call: CallFinished | CallDenied) -> str:
    error = call.reply.get("error")
    return str(error.get("code", "")) if isinstance(error, dict) else ""
