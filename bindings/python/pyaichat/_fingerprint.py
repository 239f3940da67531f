"""Which variables a run has looked at, and whether they have changed since. None of this runs code of the objects."""

from __future__ import annotations

from . import _native
from ._namespace import failure, view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from ._events import CallFinished

ALL = "*"  # instead of a name: a call has looked at all variables

_ENDS = 32


def names_looked_at(calls: Iterable[CallFinished]) -> frozenset[str]:
    """The variables in the expressions of the calls, also of those that have failed: the variable may come later. A call that has looked
    without an expression has looked at all of them."""
    found: set[str] = set()
    for call in calls:
        expression = call.arguments.get("expr")
        if isinstance(expression, str):
            found |= names_in(expression)
        elif call.looked:
            found.add(ALL)
    return frozenset(found)


def names_in(expression: str) -> set[str]:
    """The names in an expression. Parsing runs nothing.

    >>> sorted(names_in("doors[at].width + max(1, gate)"))
    ['at', 'doors', 'gate', 'max']
    """
    import ast

    try:
        tree = ast.parse(expression, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def fingerprint(names: frozenset[str], variables: dict[str, Any]) -> dict[str, object]:
    """What can be compared: for each name the identity of its value, and a shallow look at it. Names that do not exist have none."""
    variables = {name: value for name, value in variables.items() if type(name) is str}  # another key could have code
    out: dict[str, object] = {}
    if ALL in names:
        error = failure()
        out[ALL] = ({name: _shallow(value) for name, value in variables.items()}, id(error) if error else None)
    known = [name for name in sorted(names) if name in variables]
    if not known:
        return out
    looked_at = view(variables, None)
    if looked_at is None:
        return out
    try:
        session = _native.Session(module=looked_at.name, eval_policy="structural", values="full", items=0, hidden=[])
        for name in known:
            out[name] = (_shallow(variables[name]), repr(session.look("inspect", {"expr": name})))
    finally:
        looked_at.close()
    return out


def _shallow(value: object) -> tuple[object, ...]:
    """The identity of an object, and the content of exact built-in types: the address of an object may be used again by another one."""
    kind = type(value)
    about: tuple[object, ...] = (id(value), id(kind))
    if kind is int or kind is float or kind is complex:
        return (*about, repr(value) if kind is not int else value)  # a NaN is not equal to itself
    if kind is str or kind is bytes:
        text: Any = value
        return (*about, len(text), hash(text))
    if kind is list or kind is tuple:
        items: Any = value
        return (*about, len(items), *(id(each) for each in (*items[:_ENDS], *items[-_ENDS:])))
    if kind is dict:
        entries: Any = value
        return (*about, len(entries), *((id(key), id(each)) for key, each in zip(_first(entries), _first(entries.values()))))
    if kind is set or kind is frozenset:
        members: Any = value
        return (*about, len(members), *(id(each) for each in _first(members)))
    return about


def _first(items: Iterable[Any]) -> list[Any]:
    """The first items of an exact built-in container."""
    return [each for each, _ in zip(items, range(2 * _ENDS))]
