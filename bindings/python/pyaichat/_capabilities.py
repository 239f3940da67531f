"""Capabilities from functions."""

from __future__ import annotations

import functools
import inspect
import re
import typing
from collections.abc import Callable
from typing import Any

from . import _schema
from ._check import check_seconds

_PARAMETER_LINE = re.compile(r"^(?::param\s+)?\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)$")
_SECTION = re.compile(r"^(args|arguments|parameters|params)\s*:?$", re.IGNORECASE)
_OTHER_SECTION = re.compile(r"^(returns?|raises|yields|examples?|notes?)\s*:|^:(returns?|raises\b.*|rtype)\s*:", re.IGNORECASE)


def read_docstring(text: str, parameters: typing.Collection[str]) -> tuple[str, dict[str, str]]:
    """Splits a docstring into the description and the texts of the parameters: lines `name: text`, also below `Args:`, or
    `:param name: text`. What follows `Returns:` and its like is left out."""
    description: list[str] = []
    texts: dict[str, list[str]] = {}
    current: list[str] | None = None
    current_indent = 0
    for line in inspect.cleandoc(text).splitlines():
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if _SECTION.match(stripped):
            current = None
            continue
        if _OTHER_SECTION.match(stripped):
            break
        found = _PARAMETER_LINE.match(stripped)
        if found and found.group(1) in parameters:
            current = texts.setdefault(found.group(1), [])
            current.append(found.group(2))
            current_indent = indent
        elif current is not None and stripped and indent > current_indent:
            current.append(stripped)
        elif stripped or description:
            current = None
            description.append(stripped)
    return "\n".join(description).strip(), {name: " ".join(lines) for name, lines in texts.items()}


class Capability:
    """A function that the model may call, with its declaration."""

    name: str
    description: str

    __slots__ = ("function", "name", "description", "effects", "timeout", "is_async", "parameters", "_plans", "_positional", "origin")

    def __init__(
        self, function: Callable[..., Any], name: str | None, description: str | None, effects: str, timeout: float | None
    ) -> None:
        if not callable(function):
            raise TypeError(f"a capability is a function or an object with specs() and invoke(), not {type(function).__name__}")
        self.function = function
        self.name = name or str(getattr(function, "__name__", ""))
        if not self.name or self.name == "<lambda>":
            raise TypeError("this function has no name: pass name='...'")
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"the capability {self.name!r} is a generator: return a list instead")
        if effects not in ("read", "idempotent", "once"):
            raise TypeError(f"effects of the capability {self.name!r} are 'read', 'idempotent' or 'once', not {effects!r}")
        self.is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))
        self.effects = effects
        self.timeout = None if timeout is None else check_seconds(f"timeout of the capability {self.name!r}", timeout)
        self.origin = f"Python, {getattr(function, '__module__', '?')}"
        self._plan()
        text, texts = read_docstring(inspect.getdoc(function) or "", self._plans)
        self.description = description or text
        if not self.description:
            raise TypeError(f"the capability {self.name!r} has no docstring: the model needs to know what it does")
        for parameter, explained in texts.items():
            self.parameters["properties"][parameter].setdefault("description", explained)

    def _plan(self) -> None:
        function = self.function
        try:
            signature = inspect.signature(function)
        except ValueError:
            raise TypeError(f"the capability {self.name!r} has no signature that Python knows: wrap it in a function") from None
        target = function
        while isinstance(target, functools.partial):
            target = target.func
        if not inspect.isroutine(target) and not inspect.isclass(target):
            target = type(target).__call__
        try:
            hints = typing.get_type_hints(target.__init__ if inspect.isclass(target) else target, include_extras=True)
        except NameError as error:
            raise TypeError(f"an annotation of the capability {self.name!r} cannot be resolved: {error}") from None
        planner = _schema.Planner()
        self._plans: dict[str, _schema.Plan] = {}
        self._positional: list[str] = []
        properties: dict[str, Any] = {}
        required: list[str] = []
        for parameter in signature.parameters.values():
            where = f"the parameter {parameter.name!r} of the capability {self.name!r}"
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise TypeError(f"{where} takes any number of arguments: name each of them")
            if parameter.name not in hints:
                raise TypeError(f"{where} has no annotation")
            try:
                plan = planner.plan(hints[parameter.name])
            except TypeError as error:
                raise TypeError(f"{where} is of type {error}: JSON has no such type") from None
            self._plans[parameter.name] = plan
            properties[parameter.name] = dict(plan.schema)
            if parameter.kind is parameter.POSITIONAL_ONLY:
                self._positional.append(parameter.name)
            if parameter.default is parameter.empty:
                required.append(parameter.name)
            else:
                try:
                    properties[parameter.name]["default"] = _schema.encode(parameter.default)
                except TypeError:
                    pass  # the function knows its default, the model need not
        self.parameters: dict[str, Any] = {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }
        if planner.definitions:
            self.parameters["$defs"] = planner.definitions

    def __call__(self, arguments: dict[str, Any]) -> Any:
        """Calls the function with the arguments of a call, which fit the schema."""
        decoded = {name: self._plans[name].decode(value) for name, value in arguments.items()}
        leading = []
        for name in self._positional:
            if name not in decoded:
                break
            leading.append(decoded.pop(name))
        return self.function(*leading, **decoded)

    def spec(self) -> dict[str, Any]:
        """The declaration."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.parameters,
            "effects": self.effects,
            "timeout": self.timeout,
            "origin": self.origin,
        }

    def __repr__(self) -> str:
        return f"<capability {self.name}({', '.join(self._plans)})>"


class ObjectSource:
    """An object with `specs()` and `invoke(name, arguments)`, as a source of one run."""

    __slots__ = ("specs", "invoke")

    def __init__(self, source: Any, invoke: Callable[[Any, dict[str, Any], Any], None], guarded: Callable[..., Any]) -> None:
        def specs() -> list[dict[str, Any]]:
            return [complete_spec(each, source) for each in guarded(source.specs)]

        self.specs = specs
        self.invoke = lambda call, responder: invoke(source, call, responder)


def complete_spec(spec: Any, source: Any) -> dict[str, Any]:
    """A declaration of an object, with what it leaves out."""
    return {
        "name": spec["name"],
        "description": spec["description"],
        "parameters": spec.get("parameters"),
        "effects": spec.get("effects", "once"),
        "timeout": spec.get("timeout"),
        "origin": spec.get("origin", f"Python, {type(source).__qualname__}"),
    }
