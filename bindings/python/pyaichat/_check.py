"""Checks of what a person passes, so that mistakes get a sentence and no text of the compiled module, which would show all arguments."""

from __future__ import annotations

from ._errors import ConfigurationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


def check_text(name: str, value: object, *, shows: bool = True) -> str:
    """Returns the value if it is a text that has a UTF-8 form. `shows` says whether the message may quote it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a str, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        where = f": {value[max(error.start - 20, 0) : error.end + 20]!a}" if shows else ""
        raise ValueError(f"{name} has half of a surrogate pair at {error.start}, which UTF-8 cannot store{where}") from None
    return value


def check_texts(name: str, values: Iterable[str]) -> list[str]:
    """Returns a list of texts. One text instead of a list would be taken for a list of its characters."""
    if isinstance(values, str):
        raise TypeError(f"{name} is a list of texts, not a text")
    return [check_text(f"each text of {name}", each) for each in values]


def check_seconds(name: str, value: object) -> float:
    """Returns a time in seconds as the compiled module takes it."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} is a number of seconds, not {value!r}")
    if not 0 < value <= 1e9:
        raise ConfigurationError(f"{name} is a number of seconds above zero, and at most a billion")
    return float(value)


def check_count(name: str, value: object, *, least: int = 0, most: int = 2**31 - 1) -> int:
    """Returns a whole number that fits into what the compiled module has for it."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is a whole number, not {value!r}")
    if value < least:
        raise ConfigurationError(f"{name} is at least {least}, not {value!r}")
    if value > most:
        raise ConfigurationError(f"{name} is at most {most}")
    return value
