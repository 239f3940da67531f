"""Small immutable objects with typed members. Without `dataclasses`, whose import takes longer than all of this package."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar


class Record:
    """An immutable object. A subclass lists its members in `__slots__` and annotates them."""

    __slots__: tuple[str, ...] = ()
    __match_args__: ClassVar[tuple[str, ...]] = ()
    _defaults: dict[str, object] = {}

    def __init_subclass__(cls) -> None:
        names = tuple(name for base in reversed(cls.__mro__) for name in base.__dict__.get("__slots__", ()))
        setattr(cls, "__match_args__", names)  # an assignment would tell mypy that it changes

    def __init__(self, **members: object) -> None:
        for name in self.__match_args__:
            if name in members:
                value = members.pop(name)
            elif name in self._defaults:
                value = self._defaults[name]
            else:
                raise TypeError(f"{type(self).__name__}() misses the argument {name!r}")
            object.__setattr__(self, name, value)
        if members:
            raise TypeError(f"{type(self).__name__}() has no argument {next(iter(members))!r}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def _members(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__match_args__}

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._members().items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(self) is type(other) and self._members() == other._members()

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self._members()))


def _rebuild(kind: type[Record], members: dict[str, object]) -> Record:
    return kind(**members)
