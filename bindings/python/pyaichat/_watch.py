"""Questions that are answered again when something that they looked at has changed."""

from __future__ import annotations

import builtins
import sys

from ._agent import Agent
from ._answer import Answer
from ._errors import ConfigurationError, Error
from ._fingerprint import ALL, fingerprint, names_looked_at
from ._messages import Messages
from ._namespace import CALLER, is_attached, is_module, variables_of
from ._provider import service_by_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any


# Failures that asking again would meet again.
_LASTING = ("authentication", "permission_denied", "unknown_model", "quota_exhausted", "unreachable", "invalid_argument")


class Watch:
    """A question that is answered again after a change. `watch` makes one.

    A change is another object for a name, or another content as a shallow look shows it: the first items of a container, the attributes of
    an object, the columns of a data frame. A change deep inside of an object may not be noticed. No code of the objects runs.
    """

    def __init__(
        self,
        question: str,
        agent: Callable[[], Agent],
        variables: Callable[[], dict[str, Any]],
        max_answers: int,
        cancelled: Callable[[], None],
    ) -> None:
        self._question = question
        self._agent = agent
        self._variables = variables
        self._left = max_answers
        self._cancelled = cancelled
        self._names: frozenset[str] | None = None
        self._seen: dict[str, object] = {}
        self._answer: Answer | None = None

    def check(self) -> Answer | None:
        """Answers the question if it was not answered before, or if a variable has changed that its last answer looked at.

        Returns the answer, or None if nothing has changed or the watch has ended.
        """
        if not self.is_due():
            return None
        return self._settle(self._prepared().ask(self._question, history=self._history))

    def is_due(self) -> bool:
        """Whether `check` would ask: costs a look at the variables, and no model call."""
        if not self.active:
            return False
        return self._names is None or fingerprint(self._names, self._variables()) != self._seen

    @property
    def _history(self) -> Messages | None:
        """What the model reads before the question: its last answer."""
        if self._answer is None:
            return None
        return Messages.of(("user", self._question), ("model", self._answer.text))

    def _prepared(self) -> Agent:
        """The agent, about the variables as they are now. Counts as one answer."""
        self._left -= 1
        return self._agent()._about(self._variables())

    def _settle(self, answer: Answer) -> Answer:
        """Notes what an answer has looked at. A watch that has given its last answer ends."""
        self._answer = answer
        looked = names_looked_at(answer.calls)
        if answer.degraded:  # it has not looked at everything: what was looked at before counts too, or any change
            looked |= self._names or frozenset((ALL,))
        self._names = looked
        self._seen = fingerprint(self._names, self._variables())
        if self._left <= 0 or (answer.error is not None and answer.error.code in _LASTING):
            self.cancel()
        return answer

    def cancel(self) -> None:
        """Ends the watch. Nothing is asked after it."""
        self._left = 0
        self._cancelled()

    @property
    def active(self) -> bool:
        """Whether the question may be answered again."""
        return self._left > 0

    @property
    def question(self) -> str:
        """The question."""
        return self._question

    @property
    def answer(self) -> Answer | None:
        """The last answer, or None."""
        return self._answer

    @property
    def names(self) -> list[str]:
        """The variables that decide whether the question is asked again. "*" means all of them."""
        return sorted(name for name in self._names or () if name in self._seen or not hasattr(builtins, name))

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.cancel()

    def __repr__(self) -> str:
        return f"<Watch {self._question!r}: {f'{self._left} answers left' if self.active else 'ended'}>"

    def __reduce__(self) -> str:
        raise Error("a watch cannot be pickled", hint="Make it where it is needed.")


def watch(
    question: str,
    *,
    every: str | None = None,
    agent: Agent | None = None,
    namespace: object = CALLER,
    max_answers: int = 20,
) -> Watch:
    """Answers a question again when a variable has changed that its last answer looked at.

    every: "cell": look after each cell of IPython or a notebook, and show the answer below it. None: only when you call `check()`
    agent: with its limits; by default one with the model and the settings of `%ai`, or with the first key in the environment
    namespace: a module or a dict; by default that of the agent, or else the variables of the module that calls `watch`
    max_answers: after so many answers the watch ends. `cancel()` ends it earlier

    >>> doors = {"front": "open"}
    >>> watched = watch("what is doors?", agent=Agent("offline"), namespace={"doors": doors})
    >>> print(watched.check(), watched.check())
    `doors` is a dict of 1 item: {'front': 'open'} None
    >>> doors["front"] = "closed"
    >>> print(watched.check())
    `doors` is a dict of 1 item: {'front': 'closed'}
    """
    if not isinstance(question, str) or not question.strip():
        raise ConfigurationError("a watch needs a question")
    if isinstance(max_answers, bool) or not isinstance(max_answers, int) or max_answers < 1:
        raise ConfigurationError(f"max_answers is a whole number from 1 on, not {max_answers!r}")
    if every not in (None, "cell"):
        raise ConfigurationError(f"every is 'cell' or None, not {every!r}")
    if namespace is CALLER and agent is not None:
        namespace = agent._namespace
    if every is not None:
        shell = _shell()
        if shell is None:
            raise ConfigurationError("there are no cells outside of IPython and notebooks", hint="Leave out `every`, and call check().")
        from . import _ipython

        return _ipython.watch(shell, question, agent, namespace, max_answers)
    chosen = agent if agent is not None else Agent(service_by_key())
    caller = sys._getframe(1).f_globals
    variables = variables_in(namespace, lambda: caller)
    return Watch(question, lambda: chosen, variables, max_answers, lambda: None)


def variables_in(namespace: object, of_caller: Callable[[], dict[str, Any]]) -> Callable[[], dict[str, Any]]:
    """A function that returns the variables as they are at the time of its call."""
    if namespace is CALLER:
        return of_caller
    if type(namespace) is dict:
        names: dict[str, Any] = namespace
        return lambda: names
    if is_module(namespace):
        module = namespace
        return lambda: variables_of(module)
    what = "another process" if is_attached(namespace) else type(namespace).__name__
    raise ConfigurationError(f"a watch looks at a module or a dict, not at {what}")


def _shell() -> Any:
    """The shell of IPython, if this program runs in one."""
    ipython = sys.modules.get("IPython")
    return ipython.get_ipython() if ipython is not None else None
