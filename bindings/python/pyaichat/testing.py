"""Models for tests: a scripted one, and an emulator of Gemini's service. No test needs a key or a network.

    from pyaichat.testing import ScriptedModel, call, say

    model = ScriptedModel(call("price", item="door"), say("A door costs 3.5 EUR."))
    agent = ai.Agent(model, capabilities=[price])

For pytest there are fixtures: `pytest_plugins = ["pyaichat.fixtures"]`.
"""

from __future__ import annotations

import json
import threading
import time

from . import _native
from ._errors import Error, ProviderError
from ._provider import Call, Model, Request, Response

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType
    from typing import Any, Union

    Entry = Union[str, Response, ProviderError, Callable[[Request], Any]]

__all__ = ["GeminiEmulator", "ScriptedModel", "call", "fail", "give", "say", "wait"]


def say(text: str) -> Response:
    """The model answers with a text."""
    return Response(text)


def call(name: str, /, **arguments: Any) -> Response:
    """The model asks for one call. For several calls in one response, use `Response(calls=[Call(...), ...])`."""
    return Response(calls=[Call(name, arguments)])


def give(value: Any) -> Callable[[Request], Response]:
    """The model gives the answer to a question with `returns`: JSON, which need not fit."""

    def response(request: Request) -> Response:
        wanted = [each for each in request.functions if each["name"].startswith("give_answer")]
        if not wanted:
            raise ProviderError("this question has no `returns`", code="request_rejected")
        name, parameters = wanted[-1]["name"], wanted[-1]["parameters"]
        # An answer that is not an object is the argument `answer` of the function.
        wrapped = not isinstance(value, dict) and list(parameters.get("properties", ())) == ["answer"]
        return Response(calls=[Call(name, {"answer": value} if wrapped else value)])

    return response


def fail(code: str = "unavailable", message: str = "the scripted model failed", retry_after: float | None = None) -> ProviderError:
    """The attempt fails. See `ProviderError` for the codes."""
    return ProviderError(message, code=code, retry_after=retry_after)


def wait(seconds: float, text: str = "") -> Callable[[Request], str]:
    """The model takes its time: for tests of timeouts and of cancelling."""

    def response(request: Request) -> str:
        time.sleep(seconds)
        return text

    return response


class ScriptedModel:
    """A model that responds from a script, one entry for each model call. Pass it to `Agent`. It may be used from several threads.

    An entry is a text, a `Response`, a `ProviderError`, or a function of the `Request` that returns or raises one of these. After the last
    entry, model calls fail. `requests` has what the model was asked.

    >>> from pyaichat import Agent
    >>> model = ScriptedModel(call("price", item="door"), lambda request: f"It is {request.messages[-1].replies[0]['reply']['result']}.")
    >>> def price(item: str) -> float:
    ...     "What an item costs."
    ...     return 3.5
    >>> print(Agent(model, capabilities=[price], namespace=None).ask("how much is a door?"))
    It is 3.5.
    """

    def __init__(self, *script: Entry) -> None:
        self._script = list(script)
        self._lock = threading.Lock()
        self.requests: list[Request] = []

    def __call__(self, request: Request) -> Any:
        with self._lock:
            self.requests.append(request)
            if len(self.requests) > len(self._script):
                raise ProviderError(f"the script has only {len(self._script)} entries", code="request_rejected")
            entry = self._script[len(self.requests) - 1]
        if isinstance(entry, ProviderError):
            raise entry
        return entry(request) if callable(entry) else entry

    def add(self, *script: Entry) -> None:
        """Adds entries to the end of the script."""
        with self._lock:
            self._script += script

    @property
    def left(self) -> int:
        """How many entries were not used."""
        return max(0, len(self._script) - len(self.requests))

    def __repr__(self) -> str:
        return f"<ScriptedModel: {self.left} of {len(self._script)} entries left>"


def _signed(replies: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    return [{"signature": "c2lnbmF0dXJl", **each} if "calls" in each else each for each in replies]


class GeminiEmulator:
    """A server on 127.0.0.1 that emulates Gemini's service: it checks requests as strictly, and replies from a script.

    replies: dicts as in a script of `pyaichat emulate gemini`: `{"text": "Hello."}`, `{"calls": [{"name": ..., "args": ...}]}`,
        `{"overloaded": True}`; `{"text": "late", "after": "20ms"}` waits before it replies. Calls get a signature, as the service sends one

    >>> from pyaichat import Agent
    >>> with GeminiEmulator({"text": "Hello."}) as gemini:
    ...     print(Agent(gemini.model(), namespace=None).ask("hello?"))
    Hello.
    """

    def __init__(self, *replies: dict[str, Any], api_key: str = "test-key") -> None:
        if not hasattr(_native, "GeminiEmulator"):
            raise Error("this build of pyaichat has no emulators", hint="Build it with -DPYAICHAT_TESTING=ON.")
        self._key = api_key
        self._native = _native.GeminiEmulator(json.dumps({"api_key": api_key, "replies": _signed(replies)}))

    def add(self, *replies: dict[str, Any]) -> None:
        """Adds replies to the end of the script."""
        self._native.add(json.dumps({"replies": _signed(replies)}))

    def model(self, name: str = "gemini-3.8-flash") -> Model:
        """A model for `Agent` that talks to this server."""
        return Model("gemini", name, api_key=self._key, base_url=self.base_url)

    @property
    def base_url(self) -> str:
        """The address of the server."""
        return str(self._native.base_url)

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The requests so far: dicts with `method`, `path`, `body` and `refused`."""
        requests: list[dict[str, Any]] = self._native.requests()
        return requests

    @property
    def left(self) -> int:
        """How many replies were not used."""
        return int(self._native.replies_left)

    def stop(self) -> None:
        """Closes the server and its connections."""
        self._native.stop()

    def __enter__(self) -> GeminiEmulator:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<GeminiEmulator at {self.base_url}>"

