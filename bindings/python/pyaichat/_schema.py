"""JSON Schema from Python types, and values of these types from JSON.

Imported at the first capability: `typing` and `inspect` take time.
"""

from __future__ import annotations

import enum
import sys
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, Literal, NamedTuple, Union

Decode = Callable[[Any], Any]


class Plan(NamedTuple):
    """How a type looks in JSON: its schema, how a valid value is decoded, and whether a value may be one of this type."""

    schema: dict[str, Any]
    decode: Decode
    accepts: Callable[[Any], bool]


def _same(value: Any) -> Any:
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_integer(value: Any) -> bool:
    return _is_number(value) and value == int(value)


_PLAIN: dict[Any, Plan] = {
    int: Plan({"type": "integer"}, int, _is_integer),
    float: Plan({"type": "number"}, float, _is_number),
    str: Plan({"type": "string"}, _same, lambda value: isinstance(value, str)),
    bool: Plan({"type": "boolean"}, _same, lambda value: isinstance(value, bool)),
    None: Plan({"type": "null"}, _same, lambda value: value is None),
    type(None): Plan({"type": "null"}, _same, lambda value: value is None),
    Any: Plan({}, _same, lambda value: True),
    list: Plan({"type": "array"}, _same, lambda value: isinstance(value, list)),
    tuple: Plan({"type": "array"}, tuple, lambda value: isinstance(value, list)),
    dict: Plan({"type": "object"}, _same, lambda value: isinstance(value, dict)),
}

# Constraints of `Annotated`, by the attributes that the package annotated-types and pydantic use.
_CONSTRAINTS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}


class Planner:
    """Plans types. `definitions` collects the schemas that pydantic refers to."""

    def __init__(self) -> None:
        self.definitions: dict[str, Any] = {}
        self._inside: list[Any] = []

    def plan(self, hint: Any) -> Plan:
        """Plans a type. Raises TypeError with the type if it has no JSON form."""
        try:
            if hint in _PLAIN:
                return _PLAIN[hint]
        except TypeError:  # a type that cannot be hashed, such as Literal[[]]
            pass
        origin = typing.get_origin(hint)
        if origin is None:
            return self._plan_class(hint)
        arguments = typing.get_args(hint)
        if origin is Annotated:
            return self._plan_annotated(arguments[0], arguments[1:])
        if origin is Literal:
            return self._plan_literal(arguments)
        if origin is Union or origin is types.UnionType:
            return self._plan_union(arguments)
        if origin is list:
            return self._plan_list(self.plan(arguments[0]), list)
        if origin is tuple:
            return self._plan_tuple(arguments)
        if origin is dict:
            return self._plan_dict(arguments)
        if origin in (typing.Required, typing.NotRequired):
            return self.plan(arguments[0])
        raise TypeError(_name(hint))

    def _plan_annotated(self, hint: Any, metadata: tuple[Any, ...]) -> Plan:
        plan = self.plan(hint)
        schema = dict(plan.schema)
        for each in metadata:
            description = each if isinstance(each, str) else getattr(each, "description", None)
            if isinstance(description, str):
                schema["description"] = description
            for attribute, keyword in _CONSTRAINTS.items():
                value = getattr(each, attribute, None)
                if isinstance(value, (int, float, str)):
                    schema[keyword] = value
            for attribute, limit in (("min_length", "min"), ("max_length", "max")):
                value = getattr(each, attribute, None)
                if isinstance(value, int):
                    schema[limit + ("Items" if schema.get("type") == "array" else "Length")] = value
        return plan._replace(schema=schema)

    def _plan_literal(self, values: tuple[Any, ...]) -> Plan:
        plain = [value.value if isinstance(value, enum.Enum) else value for value in values]
        if not all(value is None or isinstance(value, (str, int, bool)) for value in plain):
            raise TypeError(f"Literal{list(values)!r}")
        by_json = {(type(key), key): value for key, value in zip(plain, values)}
        return Plan({"enum": plain}, lambda value: by_json[type(value), value], lambda value: (type(value), value) in by_json)

    def _plan_union(self, members: tuple[Any, ...]) -> Plan:
        plans = [self.plan(each) for each in members]

        def decode(value: Any) -> Any:
            for plan in plans:
                if plan.accepts(value):
                    return plan.decode(value)
            return value

        return Plan({"anyOf": [plan.schema for plan in plans]}, decode, lambda value: any(plan.accepts(value) for plan in plans))

    def _plan_list(self, item: Plan, make: Callable[[list[Any]], Any]) -> Plan:
        return Plan(
            {"type": "array", "items": item.schema},
            lambda value: make([item.decode(each) for each in value]),
            lambda value: isinstance(value, list) and all(item.accepts(each) for each in value),
        )

    def _plan_tuple(self, members: tuple[Any, ...]) -> Plan:
        if len(members) == 2 and members[1] is Ellipsis:
            return self._plan_list(self.plan(members[0]), tuple)
        items = [self.plan(each) for each in members]
        return Plan(
            {"type": "array", "prefixItems": [item.schema for item in items], "minItems": len(items), "maxItems": len(items)},
            lambda value: tuple(item.decode(each) for item, each in zip(items, value)),
            lambda value: isinstance(value, list) and len(value) == len(items) and all(i.accepts(v) for i, v in zip(items, value)),
        )

    def _plan_dict(self, members: tuple[Any, ...]) -> Plan:
        if members[0] is not str:
            raise TypeError(f"dict with keys of type {_name(members[0])}: the keys of JSON objects are str")
        item = self.plan(members[1])
        return Plan(
            {"type": "object", "additionalProperties": item.schema},
            lambda value: {key: item.decode(each) for key, each in value.items()},
            lambda value: isinstance(value, dict) and all(item.accepts(each) for each in value.values()),
        )

    def _plan_class(self, hint: Any) -> Plan:
        if not isinstance(hint, type):
            raise TypeError(_name(hint))
        kind: Any = hint
        if hint in self._inside:
            raise TypeError(f"{_name(hint)}, which refers to itself")
        self._inside.append(hint)
        try:
            if issubclass(hint, enum.Enum):
                return self._plan_enum(hint)
            if is_pydantic(hint):
                return self._plan_pydantic(hint)
            if typing.is_typeddict(hint):
                return self._plan_fields(hint, kind.__annotations__.keys(), kind.__required_keys__, dict)
            if issubclass(hint, tuple) and hasattr(hint, "_fields"):
                return self._plan_fields(hint, kind._fields, set(kind._fields) - set(kind._field_defaults), kind)
            if hasattr(hint, "__dataclass_fields__"):
                return self._plan_dataclass(hint)
        finally:
            self._inside.pop()
        raise TypeError(_name(hint))

    def _plan_enum(self, kind: type[enum.Enum]) -> Plan:
        if _has_plain_values(kind):
            return Plan({"enum": [member.value for member in kind]}, kind, lambda value: any(m.value == value for m in kind))
        return Plan({"enum": [member.name for member in kind]}, lambda name: kind[name], lambda value: value in kind.__members__)

    def _plan_dataclass(self, kind: Any) -> Plan:
        import dataclasses

        fields = [each for each in dataclasses.fields(kind) if each.init]
        absent = dataclasses.MISSING
        required = {each.name for each in fields if each.default is absent and each.default_factory is absent}
        return self._plan_fields(kind, [each.name for each in fields], required, kind)

    def _plan_fields(self, kind: Any, names: Any, required: Any, make: Callable[..., Any]) -> Plan:
        hints = typing.get_type_hints(kind, include_extras=True)
        plans = {}
        for name in names:
            try:
                plans[name] = self.plan(hints[name])
            except TypeError as error:
                raise TypeError(f"{_name(kind)}, whose member {name!r} is of type {error}") from None
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {name: plan.schema for name, plan in plans.items()},
            "required": [name for name in names if name in required],
            "additionalProperties": False,
        }

        def decode(value: dict[str, Any]) -> Any:
            return make(**{name: plans[name].decode(each) for name, each in value.items()})

        def accepts(value: Any) -> bool:
            return (
                isinstance(value, dict)
                and all(name in value for name in required)
                and all(name in plans and plans[name].accepts(each) for name, each in value.items())
            )

        return Plan(schema, decode, accepts)

    def _plan_pydantic(self, kind: Any) -> Plan:
        if hasattr(kind, "model_json_schema"):
            schema, decode = kind.model_json_schema(ref_template="#/$defs/{model}"), kind.model_validate
        else:
            schema, decode = kind.schema(ref_template="#/$defs/{model}"), kind.parse_obj
        schema = dict(schema)
        for where in ("$defs", "definitions"):
            self.definitions.update(schema.pop(where, {}))

        def accepts(value: Any) -> bool:
            try:
                decode(value)
            except ValueError:
                return False
            return True

        return Plan(schema, decode, accepts)


class Returned(NamedTuple):
    """What a question returns: the schema of the answer, and how the value is made of it."""

    schema: dict[str, Any]
    decode: Decode


def plan_answer(wanted: Any) -> Returned:
    """Plans `returns`: a type, or a JSON Schema as a dict. Raises TypeError for a type that has no JSON form."""
    if isinstance(wanted, dict):
        return Returned(wanted, _same)
    planner = Planner()
    try:
        plan = planner.plan(wanted)
    except TypeError as error:
        raise TypeError(f"returns is of type {error}: JSON has no such type") from None
    return Returned({**plan.schema, "$defs": planner.definitions} if planner.definitions else plan.schema, plan.decode)


def _has_plain_values(kind: type[enum.Enum]) -> bool:
    """Whether the members of an enumeration are known by their values in JSON; otherwise by their names."""
    return all(type(member.value) in (str, int) for member in kind)


def is_pydantic(kind: type) -> bool:
    """Whether a class is a model of pydantic. Does not import it."""
    module = sys.modules.get("pydantic")
    base = getattr(module, "BaseModel", None)
    return isinstance(base, type) and issubclass(kind, base)


def _name(hint: Any) -> str:
    return hint.__qualname__ if isinstance(hint, type) else str(hint).replace("typing.", "")


def encode(value: Any) -> Any:
    """Makes JSON of a value: of the types above, and of lists, tuples and dicts of them. Raises TypeError for others."""
    if isinstance(value, enum.Enum):
        return value.value if _has_plain_values(type(value)) else value.name
    if isinstance(value, float) and not value - value == 0:
        return str(value)  # nan, inf, -inf: JSON has no such number, and null would be another answer
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, dict):
        encoded = {str(encode(key)): encode(each) for key, each in value.items()}
        if len(encoded) != len(value):
            raise TypeError("two keys of a dict are the same as text")
        return encoded
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: encode(getattr(value, name)) for name in value._fields}
    if isinstance(value, (list, tuple)):
        return [encode(each) for each in value]
    if hasattr(type(value), "__dataclass_fields__"):
        return {name: encode(getattr(value, name)) for name in type(value).__dataclass_fields__}
    if is_pydantic(type(value)):
        return encode(value.model_dump() if hasattr(value, "model_dump") else value.dict())
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return encode(value.item())
    raise TypeError(f"a value of type {_name(type(value))} has no JSON form")
