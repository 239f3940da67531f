"""The exceptions of pyaichat: one tree, with `Error` at its root."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._answer import Answer


class Error(Exception):
    """The base class of all exceptions of pyaichat.

    hint: what to do about it; may be empty
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __str__(self) -> str:
        message = str(self.args[0])
        return f"{message} ({self.hint})" if self.hint else message

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (type(self), self.args[0], self.__dict__))


def _rebuild(kind: type[Error], message: str, members: dict[str, object]) -> Error:
    error: Error = kind.__new__(kind)
    error.args = (message,)
    error.__dict__.update(members)
    return error


class ConfigurationError(Error):
    """The agent cannot work as it was set up: a key is missing, a limit is out of range, two capabilities have the same name."""


class ProviderError(Error):
    """A provider in Python raises this exception if an attempt fails.

    code: "rate_limited", "quota_exhausted", "unavailable", "authentication", "permission_denied", "unknown_model", "request_rejected",
        "bad_response", "too_large", "timeout" or "connection_failed". The loop retries the ones that a later attempt may settle.
    retry_after: how many seconds to wait before the next attempt, if the service has said so
    """

    def __init__(self, message: str, *, code: str = "unavailable", retry_after: float | None = None, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.retry_after = retry_after


class Refuse(Error):
    """A capability raises this exception to refuse a call. The model reads the text."""


class Degraded(Error):
    """`Answer.raise_if_degraded` raises this exception, or one of its subclasses. `answer` is the answer, with what was found out."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.text, hint=answer.error.message if answer.error else "")
        self.answer = answer


class Cancelled(Degraded):
    """The run was cancelled."""


class LimitReached(Degraded):
    """A limit ended the run: `answer.reason` names it."""


class ModelFailed(Degraded):
    """The model or its service failed, refused the request, or gave responses that could not be used."""


class RateLimited(ModelFailed):
    """The service does not take requests now. `answer.error.retry_after` is how long to wait, if the service has said so."""


DEGRADED: dict[str, type[Degraded]] = {
    "cancelled": Cancelled,
    "rate_limited": RateLimited,
    "provider_failed": ModelFailed,
    "blocked": ModelFailed,
    "invalid_response": ModelFailed,
    **dict.fromkeys(
        ("max_steps", "max_calls", "step_timeout", "total_timeout", "repeating", "token_budget", "cost_budget", "max_recoveries", "truncated"),
        LimitReached,
    ),
}
