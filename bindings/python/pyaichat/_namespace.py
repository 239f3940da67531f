"""The variables that a question is about."""

from __future__ import annotations

import sys
from types import FrameType, ModuleType

from . import _native
from ._errors import ConfigurationError, Error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeGuard

_numbers = 0


class _Caller:
    """The default of `Agent(namespace=...)`: the variables of the code that asks."""

    def __repr__(self) -> str:
        return "CALLER"

    def __reduce__(self) -> str:
        return "CALLER"


CALLER = _Caller()


class View:
    """The variables that one run looks at, as a module that the SDK finds by its name."""

    __slots__ = ("name", "_added")

    def __init__(self, name: str, added: ModuleType | None = None) -> None:
        self.name = name
        self._added = added

    def close(self) -> None:
        """Removes the module if it was made for this run."""
        if self._added is not None:
            sys.modules.pop(self.name, None)
            self._added = None

    def __del__(self) -> None:
        if sys is not None:
            self.close()


def _copied(*parts: dict[str, Any]) -> View:
    """A module with the variables of all parts, of which later ones hide earlier ones. Copying runs no code of the objects."""
    global _numbers
    _numbers += 1
    module = ModuleType(f"pyaichat_caller_{_numbers}")
    for part in parts:
        for name, value in dict.copy(part).items():  # a copy in one go: another thread may change the variables
            if type(name) is str and name not in ("__builtins__", "__name__", "__spec__", "__loader__"):
                module.__dict__[name] = value
    sys.modules[module.__name__] = module
    return View(module.__name__, module)


def _view_of_globals(names: dict[str, Any]) -> View:
    name = names.get("__name__")
    module = sys.modules.get(name) if type(name) is str else None
    if type(module) is ModuleType and module.__dict__ is names and type(name) is str:
        return View(name)
    return _copied(names)


# Comprehensions are functions of their own until Python 3.11: what they are in belongs to what they see.
_COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>")
_CO_OPTIMIZED = 1


def _locals_of(frame: FrameType) -> dict[str, Any]:
    """A copy of the local variables of a frame."""
    names = frame.f_locals
    if not frame.f_code.co_flags & _CO_OPTIMIZED and type(names) is not dict:
        return {}  # the body of a class with a mapping of its own, whose code must not run
    copy = dict(names)
    if frame.f_code.co_flags & _CO_OPTIMIZED and type(names) is dict and sys.gettrace() is None:
        names.clear()  # until Python 3.12, the frame keeps this dict and with it the objects
    return copy


def _view_of_frame(frame: FrameType) -> View:
    parts = [frame]
    while parts[-1].f_code.co_name in _COMPREHENSIONS and parts[-1].f_back is not None:
        parts.append(parts[-1].f_back)
    if not parts[-1].f_code.co_flags & _CO_OPTIMIZED and parts[-1].f_locals is frame.f_globals:
        parts.pop()
    if not parts:
        return _view_of_globals(frame.f_globals)
    return _copied(frame.f_globals, *(_locals_of(each) for each in reversed(parts)))


# `isinstance` asks an object of another type for its class, by the attribute functions that a module may have.


def is_module(namespace: object) -> TypeGuard[ModuleType]:
    """Whether an object is a module. Runs none of its code."""
    return issubclass(type(namespace), ModuleType)


def is_attached(namespace: object) -> TypeGuard[AttachedProcess]:
    """Whether an object is an attached process. Runs no code of another object."""
    return issubclass(type(namespace), AttachedProcess)


def variables_of(module: ModuleType) -> dict[str, Any]:
    """The variables of a module, also of one whose class has attribute functions of its own: they do not run."""
    names: dict[str, Any] = vars(ModuleType)["__dict__"].__get__(module)
    return names


def view(namespace: object, frame: FrameType | None) -> View | None:
    """The variables of `namespace`, or of the frame that asks."""
    if namespace is None:
        return None
    if namespace is CALLER and frame is not None:
        return _view_of_frame(frame)
    if is_module(namespace):
        return _view_of_globals(variables_of(namespace))
    if type(namespace) is dict:
        return _view_of_globals(namespace)
    raise ConfigurationError(
        f"a namespace is a module, a dict or None, not {type(namespace).__name__}", hint="By default it is that of the code that asks."
    )


def failure() -> BaseException | None:
    """The exception that a question like "why did it fail?" is about: the one that is being handled, or else the last uncaught one of an
    interactive session."""
    handled = sys.exc_info()[1]
    if handled is not None:
        return handled
    last = vars(sys).get("last_exc")
    if last is None:
        last = vars(sys).get("last_value")
    return last if isinstance(last, BaseException) else None


class AttachedProcess:
    """Another process with CPython 3.13, whose memory is read while it runs. Pass it as `namespace=`.

    process: the id of the process, which must be of the same user
    """

    __slots__ = ("native",)

    def __init__(self, process: int) -> None:
        self.native = _native.AttachedProcess(process)

    def __repr__(self) -> str:
        return f"<AttachedProcess {self.native.name}>"

    def __reduce__(self) -> str:
        raise Error("an attached process cannot be pickled", hint="Attach to it where it is needed.")


def attach(process: int) -> AttachedProcess:
    """Finds Python in another process, for `Agent(model, namespace=attach(pid))`. Nothing in it is stopped, written or run.

    Raises Error if there is no such process, it has no Python, or the system forbids reading its memory.
    """
    return AttachedProcess(process)
